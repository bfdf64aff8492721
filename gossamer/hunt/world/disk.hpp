#pragma once

#include <string>

#include "gossamer/base/ids.hpp"

namespace gossamer {

/// The disks of all machines of a hunted run: a folder for each, gone with it.
class Disk {
 public:
  Disk();
  ~Disk();

  Disk(const Disk&) = delete;
  Disk& operator=(const Disk&) = delete;

  [[nodiscard]] std::string of(NodeId node) const;

  /// As if it had been killed while it wrote the newest checkpoint.
  void tear_newest(NodeId node) const;

 private:
  std::string path_;
};

}  // namespace gossamer
