# Runs an entry for real: its claims hold, and the README's table says of them what the run says.
# -DPROGRAM= -DNAME= -DREADME= -DWORK_DIR=
file(REMOVE_RECURSE "${WORK_DIR}")
file(MAKE_DIRECTORY "${WORK_DIR}")
configure_file("${README}" "${WORK_DIR}/README.md" COPYONLY)
execute_process(
  COMMAND "${PROGRAM}" reproduce ${NAME} --quick --out pages --update-table README.md
  WORKING_DIRECTORY "${WORK_DIR}" RESULT_VARIABLE code ERROR_VARIABLE errors)
if(errors MATCHES "it is for --full alone")
  message(STATUS "${NAME} is for --full alone")
  return()
endif()
if(NOT code EQUAL 0)
  message(FATAL_ERROR "exit code ${code}: ${errors}")
endif()
file(READ "${README}" before)
file(READ "${WORK_DIR}/README.md" after)
if(NOT before STREQUAL after)
  execute_process(COMMAND diff "${README}" "${WORK_DIR}/README.md")
  message(FATAL_ERROR "the README's table is not what this run says; run\n"
    "  gossamer reproduce ${NAME} --quick --update-table README.md")
endif()
