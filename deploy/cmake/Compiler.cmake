# Flags for all of our own code. Use: target_link_libraries(x PRIVATE sweepd_compiler).
add_library(sweepd_compiler INTERFACE)
target_compile_options(sweepd_compiler INTERFACE -Wall -Wextra -Wpedantic -Werror)

# A compiler that fuses multiply and add gives other results on other machines. The core has integers only; the SDK's
# conversions to integers have to agree as well.
add_compile_options(-ffp-contract=off)

# Several files at a time: headers and templates are compiled once for all of them, which takes a third of the time.
# The preset `debug` compiles each file alone: so changes are rebuilt quickly, and a missing include is found.
option(SWEEPD_UNITY_BUILD "Compile several files at a time" ON)
set(CMAKE_UNITY_BUILD ${SWEEPD_UNITY_BUILD})
set(CMAKE_UNITY_BUILD_BATCH_SIZE 12)
if(SWEEPD_UNITY_BUILD AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # Types of a file's own may be used by its other types: included, the file is no header.
  add_compile_options(-Wno-subobject-linkage)
endif()

if(SWEEPD_SANITIZERS)
  string(REPLACE "," "_" sanitizers_name "${SWEEPD_SANITIZERS}")
  add_compile_options(-fsanitize=${SWEEPD_SANITIZERS} -fno-sanitize-recover=all -fno-omit-frame-pointer -O1 -g1)
  add_link_options(-fsanitize=${SWEEPD_SANITIZERS})
  # These are a quarter of the compile time, and no cast here goes down from a virtual class; AddressSanitizer finds what
  # the first two would.
  add_compile_options(-fno-sanitize=null,object-size,vptr)
  if(SWEEPD_SANITIZERS MATCHES "address")
    # What is checked where has a million addresses in a program: each start would relocate them, a quarter of its time.
    add_link_options(-no-pie)
  endif()
  # Links some seventy programs with their symbols in a fifth of the time.
  find_program(SWEEPD_LLD NAMES ld.lld-14 ld.lld)
  if(SWEEPD_LLD)
    add_link_options(-fuse-ld=lld)
  endif()
endif()

# Compiles the folder without optimisation in sanitizer builds, in a third of the time. For what no tick waits for.
macro(sweepd_compile_quickly)
  if(SWEEPD_SANITIZERS)
    add_compile_options(-O0)
  endif()
endmacro()

# Costly walks over whole data structures, in debug and sanitizer builds.
add_compile_definitions($<$<CONFIG:Debug>:SWEEPD_COSTLY_CHECKS=1>)

find_program(CCACHE ccache)
if(CCACHE)
  # What one clone has compiled serves the next, wherever that is: paths below the source folder count as relative.
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros
      CCACHE_BASEDIR=${CMAKE_SOURCE_DIR} CCACHE_NOHASHDIR=1 ${CCACHE})
  # A precompiled header has none of our own headers: `#pragma once` knows a file by its time as well, which another clone's
  # has not, so the header that comes from the cache and the clone's own would both be read. Generated ones have guards.
  # ccache can only cache uses of a precompiled header under these rules.
  if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    add_compile_options(-Xclang -fno-pch-timestamp)
  endif()
endif()
