# Makes every symbol of a static library its own, but for those that are named: what two libraries
# define alike, and would disagree about in one program, no longer meets there.
#
#   cmake -D LIBRARY=... -D KEEP=name;... -D LINKER=... -D OBJCOPY=... -D AR=... -P SepTranOwnSymbols.cmake

function(run)
  execute_process(COMMAND ${ARGV} RESULT_VARIABLE code OUTPUT_VARIABLE said ERROR_VARIABLE said)
  if(NOT code EQUAL 0)
    file(REMOVE "${LIBRARY}")
    message(FATAL_ERROR "${ARGV} ended with ${code}\n${said}")
  endif()
endfunction()

# Groups that the linker would pick one of, whatever their symbols are, are dissolved.
run("${LINKER}" -r --force-group-allocation --whole-archive "${LIBRARY}" -o "${LIBRARY}.o")
set(names ${KEEP})
list(TRANSFORM names PREPEND "--keep-global-symbol=")
run("${OBJCOPY}" ${names} "${LIBRARY}.o")
file(REMOVE "${LIBRARY}")
run("${AR}" qcD "${LIBRARY}" "${LIBRARY}.o")
file(REMOVE "${LIBRARY}.o")
