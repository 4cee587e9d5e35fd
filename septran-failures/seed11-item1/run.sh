#!/bin/sh
# Shows the failure. Compiler flags of the logic file are its arguments.
cd "$(dirname "$0")"
verify='/tmp/wt/lead7/build/tool/septran-verify'
[ -x "$verify" ] || verify=septran-verify
exec "${SEPTRAN_VERIFY:-$verify}" logic.cpp --mapping mapping.yaml --machine 'cpu/x86-avx512' \
  -- -std=c++20 "$@"
