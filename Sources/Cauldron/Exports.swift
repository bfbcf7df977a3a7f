// `import Cauldron` is the one import a program needs.
@_exported public import CauldronGraph
@_exported public import CauldronImport
@_exported public import CauldronLedger
@_exported public import CauldronList
@_exported public import CauldronLive
@_exported public import CauldronModel
@_exported public import CauldronQuery
@_exported public import CauldronSave
@_exported public import CauldronStore
