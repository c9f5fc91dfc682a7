// The display name of a vendor: a compatible server and a model file have only a translated description.
import { useTexts } from '../../i18n/language-provider.tsx'
import { providerFormTexts } from './provider-form-texts.ts'
import { COMPATIBLE, type Kind, vendorOf } from './vendors.ts'

export function useVendorTitle(): (kind: Kind, vendor: string) => string {
  const t = useTexts(providerFormTexts)
  const named: Readonly<Record<string, string>> = { [COMPATIBLE]: t.compatible, 'model-file': t.modelFile }
  return (kind, vendor) => named[vendor] ?? vendorOf(kind, vendor).title
}
