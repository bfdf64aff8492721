#pragma once

#include <string>

#include "gossamer/base/result.hpp"
#include "gossamer/learn/images/image_set.hpp"

namespace gossamer {

/// Pictures in folders of classes: `folder`/train/CLASS/* and `folder`/test/CLASS/*, PNG or JPEG.
/// Classes are numbered in the order of their names, pictures follow each other in that of theirs;
/// names that begin with a dot and files that do not end in .png, .jpg or .jpeg are passed over.
///
/// All pictures have one size, both parts the same classes. There is one channel if all pictures
/// are grey, otherwise three. An error names the file or folder and what is wrong with it.
[[nodiscard]] Result<ImageData> read_image_folder(const std::string& folder);

}  // namespace gossamer
