# The two functions every CMakeLists.txt of the project is written with, and the target
# that holds the warnings.

add_library(septran_warnings INTERFACE)
target_compile_options(septran_warnings INTERFACE
                       -Wall -Wextra $<$<BOOL:${SEPTRAN_WERROR}>:-Werror>)

# septran_add_library(<name> SOURCES <file>... [LINK <target>...] [PRECOMPILE <header>...])
#
# A static library of the compiler, usable in the tool and in the plugin. Its headers are
# included from the root `lib/`: #include "IR/Expr.h". LINK is public.
#
# PRECOMPILE, here and below: headers that most of the sources share are read once. Every source still
# includes what it uses, and builds with
# -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON too.
function(septran_add_library name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;LINK;PRECOMPILE")
  _septran_no_leftovers(${name} "${arg_UNPARSED_ARGUMENTS}")
  add_library(${name} STATIC ${arg_SOURCES})
  target_compile_features(${name} PUBLIC cxx_std_20)
  target_include_directories(${name} PUBLIC "${PROJECT_SOURCE_DIR}/lib" "${PROJECT_SOURCE_DIR}")
  target_link_libraries(${name} PUBLIC ${arg_LINK} PRIVATE septran_warnings)
  set_target_properties(${name} PROPERTIES POSITION_INDEPENDENT_CODE ON CXX_EXTENSIONS OFF)
  target_precompile_headers(${name} PRIVATE ${arg_PRECOMPILE})
endfunction()

# septran_add_unittest(<name> SOURCES <file>... [LINK <target>...] [PRECOMPILE <header>...]
#                      [PREFIX <text>])
#
# A GoogleTest program; every test in it becomes a test of ctest, with the prefix in front of its name.
function(septran_add_unittest name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "PREFIX" "SOURCES;LINK;PRECOMPILE")
  _septran_no_leftovers(${name} "${arg_UNPARSED_ARGUMENTS}")
  add_executable(${name} ${arg_SOURCES})
  target_compile_features(${name} PRIVATE cxx_std_20)
  target_link_libraries(${name} PRIVATE ${arg_LINK} GTest::gtest_main septran_warnings)
  set_target_properties(${name} PROPERTIES CXX_EXTENSIONS OFF)
  target_precompile_headers(${name} PRIVATE ${arg_PRECOMPILE})
  gtest_discover_tests(${name} DISCOVERY_MODE PRE_TEST TEST_PREFIX "${arg_PREFIX}"
                       PROPERTIES LABELS unit TIMEOUT 120)
endfunction()

function(_septran_no_leftovers name leftovers)
  if(leftovers)
    message(FATAL_ERROR "${name}: unexpected arguments: ${leftovers}")
  endif()
endfunction()

if(SEPTRAN_BUILD_TESTS)
  include(GoogleTest)
endif()
