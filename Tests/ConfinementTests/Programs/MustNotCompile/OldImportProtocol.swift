// error: 'MagicalRecordDataImportProtocol' is unavailable: override shouldImport(_:)
import CauldronMagicalRecord

extension Person: MagicalRecordDataImportProtocol {}
