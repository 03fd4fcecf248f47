# find_package(normcheck): the target normcheck::abi for plug-ins, which brings normcheck.h, and the program as
# normcheck::normcheck.
include(${CMAKE_CURRENT_LIST_DIR}/normcheckTargets.cmake)
