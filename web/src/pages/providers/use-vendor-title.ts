// The name of a vendor in the page's language: a compatible server and a model file have no name of their own.
import { useTexts } from '../../i18n/language-provider.tsx'
import { providerFormTexts } from './provider-form-texts.ts'
import { COMPATIBLE, type Kind, vendorOf } from './vendors.ts'

export function useVendorTitle(): (kind: Kind, vendor: string) => string {
  const t = useTexts(providerFormTexts)
  const named: Readonly<Record<string, string>> = { [COMPATIBLE]: t.compatible, 'model-file': t.modelFile }
  return (kind, vendor) => named[vendor] ?? vendorOf(kind, vendor).title
}
