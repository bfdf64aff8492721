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
endif()
