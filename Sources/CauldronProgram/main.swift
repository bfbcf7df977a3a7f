import ArgumentParser
import CauldronTool

CauldronCommand.main()
