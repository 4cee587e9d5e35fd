# Finds what SepTran is built on and wraps it in targets, so that no other file needs
# to know a variable of a package. `scripts/setup` installs all of it on Debian 12.

# Debian's version file wants equal major and minor numbers: 19.1, not 19.
find_package(Clang 19.1 REQUIRED CONFIG)
message(STATUS "LLVM ${LLVM_PACKAGE_VERSION} in ${LLVM_DIR}")

# Every usage requirement of LLVM and Clang; both come as one shared library each, which
# keeps links short. EH is on in our code (yaml-cpp throws) and off in LLVM's: catch before
# calling back into LLVM. RTTI follows LLVM's own setting, or its vtables would not link.
add_library(septran_llvm INTERFACE)
separate_arguments(septran_llvm_definitions NATIVE_COMMAND "${LLVM_DEFINITIONS}")
target_include_directories(septran_llvm SYSTEM INTERFACE ${LLVM_INCLUDE_DIRS} ${CLANG_INCLUDE_DIRS})
target_compile_definitions(septran_llvm INTERFACE ${septran_llvm_definitions})
target_compile_options(septran_llvm INTERFACE $<$<NOT:$<BOOL:${LLVM_ENABLE_RTTI}>>:-fno-rtti>)
target_link_libraries(septran_llvm INTERFACE clang-cpp LLVM)

# yaml-cpp 0.7 exports a plain name; 0.8 and later export yaml-cpp::yaml-cpp.
find_package(yaml-cpp REQUIRED CONFIG)
add_library(septran_yaml INTERFACE)
target_link_libraries(septran_yaml INTERFACE
                      $<IF:$<TARGET_EXISTS:yaml-cpp::yaml-cpp>,yaml-cpp::yaml-cpp,yaml-cpp>)

find_package(Threads REQUIRED)

# Deriving a mapping builds tens of thousands of programs from small nodes: a quarter of the time is the allocator's. The
# package brings one that takes the place of the C library's; a sanitizer brings its own.
add_library(septran_allocator INTERFACE)
find_package(mimalloc QUIET CONFIG)
if(mimalloc_FOUND AND NOT CMAKE_CXX_FLAGS MATCHES "-fsanitize")
  target_link_libraries(septran_allocator INTERFACE mimalloc)
endif()

if(SEPTRAN_BUILD_TESTS)
  # apt's Python modules belong to Debian's own Python, whichever comes first on the PATH.
  find_program(Python3_EXECUTABLE NAMES python3 REQUIRED PATHS /usr/bin NO_DEFAULT_PATH)
  find_package(GTest REQUIRED)
  find_package(benchmark REQUIRED)
endif()
