// error: 'mr_primaryAttributeToRelateBy()' is unavailable: see 'importKey'
import CauldronMagicalRecord

private func key(_ entity: EntityDescription) -> AttributeDescription? {
  entity.mr_primaryAttributeToRelateBy()
}
