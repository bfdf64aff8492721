#pragma once

#include <string>

#include "gossamer/base/result.hpp"

namespace gossamer {

/// A folder that is this process's own as long as the object lives, and no longer than the process
/// does, however it ends. Whoever shares the disk sees it, if its file system has locks; where it
/// has none, nobody is kept out.
class FolderLock {
 public:
  /// Refuses a folder that somebody else has, and says who. Leaves a file `lock` there.
  [[nodiscard]] static Result<FolderLock> take(const std::string& folder);

  FolderLock(FolderLock&& other) noexcept;
  FolderLock& operator=(FolderLock&&) = delete;
  ~FolderLock();

 private:
  explicit FolderLock(int descriptor) : descriptor_(descriptor) {}

  int descriptor_;
};

}  // namespace gossamer
