# gossamer_options: what every target of ours is compiled with, and nothing that a user's targets inherit.
add_library(gossamer_options INTERFACE)
add_library(gossamer::options ALIAS gossamer_options)

target_compile_options(gossamer_options INTERFACE
  -Wall -Wextra -Wconversion -Wshadow -Wnon-virtual-dtor
  # One seed gives one result on every machine: a fused multiply-add rounds once where two operations round twice.
  -ffp-contract=off)
if(GOSSAMER_WERROR)
  target_compile_options(gossamer_options INTERFACE -Werror)
endif()
if(GOSSAMER_SANITIZE)
  target_compile_options(gossamer_options INTERFACE
    -fsanitize=${GOSSAMER_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(gossamer_options INTERFACE -fsanitize=${GOSSAMER_SANITIZE})

  # GOSSAMER_QUICK is set for tests and the program: they call layers, where the time goes, and layers keep the preset's own
  # optimisation and all checks. Here a check of an access is a call, and none asks whether a pointer is null, aligned, long
  # enough or of its class: six files of apps/ take 7.6 s of CPU instead of 15.3 s.
  set(quick "$<BOOL:$<TARGET_PROPERTY:GOSSAMER_QUICK>>")
  target_compile_options(gossamer_options INTERFACE $<${quick}:-Og>)
  if(GOSSAMER_SANITIZE MATCHES "undefined")
    target_compile_options(gossamer_options INTERFACE $<${quick}:-fno-sanitize=null,alignment,object-size,vptr>)
  endif()
  if(GOSSAMER_SANITIZE MATCHES "address" AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(gossamer_options INTERFACE $<${quick}:--param=asan-instrumentation-with-call-threshold=0>)
  endif()
endif()
