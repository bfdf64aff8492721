#pragma once

// Which Gossamer this is: https://semver.org, as docs/stability.md reads it. CMake takes its
// version from the three numbers below, so that they stand nowhere else.
#define GOSSAMER_VERSION_MAJOR 0
#define GOSSAMER_VERSION_MINOR 1
#define GOSSAMER_VERSION_PATCH 0

/// One number that grows with every version, for #if: 1.2.3 is 10203.
#define GOSSAMER_VERSION \
  (GOSSAMER_VERSION_MAJOR * 10000 + GOSSAMER_VERSION_MINOR * 100 + GOSSAMER_VERSION_PATCH)

/// The same for people: "1.2.3".
#define GOSSAMER_VERSION_STRING          \
  GOSSAMER_TEXT_(GOSSAMER_VERSION_MAJOR) \
  "." GOSSAMER_TEXT_(GOSSAMER_VERSION_MINOR) "." GOSSAMER_TEXT_(GOSSAMER_VERSION_PATCH)

// A macro's value as text: by two steps, since # takes a name as it stands.
#define GOSSAMER_TEXT_(macro) GOSSAMER_QUOTED_(macro)
#define GOSSAMER_QUOTED_(text) #text
