// The form of a provider account, and its request bodies. Pure.
import type { Provider, paths } from '../../../../client/paths.ts'
import { type PriceFields, priceFieldsOf, pricesFrom } from './price.ts'
import { type Kind, vendorOf } from './vendors.ts'

type NewProvider = paths['/api/providers']['post']['requestBody']['content']['application/json']
export type VendorName = NewProvider['vendor']

export type ProviderFields = {
  name: string
  apiKey: string
  baseUrl: string
  model: string
  isDefault: boolean
  isShared: boolean
  prices: PriceFields
}

/** What the form adds or edits. */
export type FormTarget = { kind: Kind; vendor: string; account: Provider | null }

export function fieldsOf({ kind, vendor, account }: FormTarget, found: Partial<ProviderFields> = {}): ProviderFields {
  const { baseUrl, model } = vendorOf(kind, vendor)
  return {
    name: account?.name ?? '',
    apiKey: '',
    baseUrl: account && account.baseUrl !== baseUrl ? (account.baseUrl ?? '') : '',
    model: account?.model ?? model ?? '',
    isDefault: kind !== 'tts' && (account?.isDefault ?? true),
    isShared: account?.isShared ?? false,
    prices: priceFieldsOf(account?.prices),
    ...found,
  }
}

export type FieldError = 'missing' | 'notUrl' | 'keyAgain'
export type FieldErrors = Partial<Record<'apiKey' | 'baseUrl' | 'model', FieldError>>

export function errorsOf(
  { kind, vendor, account }: FormTarget,
  { apiKey, baseUrl, model }: ProviderFields,
): FieldErrors {
  const { needsKey, baseUrl: own, model: usual } = vendorOf(kind, vendor)
  const errors: FieldErrors = {}
  const url = baseUrl.trim()
  if (url === '' && own === null) errors.baseUrl = 'missing'
  else if (url !== '' && !/^https?:\/\/[^\s/@]+(\/\S*)?$/.test(url)) errors.baseUrl = 'notUrl'
  if (needsKey && apiKey.trim() === '') {
    if (!account?.hasKey) errors.apiKey = 'missing'
    else if (!errors.baseUrl && originOf(url || own) !== originOf(account.baseUrl)) errors.apiKey = 'keyAgain'
  }
  if (usual === null && model.trim() === '') errors.model = 'missing'
  return errors
}

const originOf = (url: string | null) => (url && URL.canParse(url) ? new URL(url).origin : url)

/** Whether the current input is enough to request the vendor's models. */
export const canListModels = (target: FormTarget, fields: ProviderFields): boolean => {
  const { apiKey, baseUrl } = errorsOf(target, fields)
  return !apiKey && !baseUrl
}

/** The request body for listing models and testing, before anything is saved. */
export const draftOf = ({ kind, vendor, account }: FormTarget, { apiKey, baseUrl }: ProviderFields) => ({
  kind,
  vendor: vendor as VendorName,
  ...(account ? { id: account.id } : {}),
  ...(baseUrl.trim() === '' ? {} : { baseUrl: baseUrl.trim() }),
  ...(apiKey.trim() === '' ? {} : { apiKey: apiKey.trim() }),
})

/** The body of a POST or PATCH. An empty key keeps the stored one. */
export const bodyOf = ({ kind, vendor }: FormTarget, fields: ProviderFields, isAdmin: boolean) => ({
  name: fields.name.trim() || vendorOf(kind, vendor).title,
  baseUrl: fields.baseUrl.trim() || null,
  ...(fields.model.trim() === '' ? {} : { model: fields.model.trim() }),
  prices: pricesFrom(kind, fields.prices),
  ...(kind === 'tts' ? {} : { isDefault: fields.isDefault }),
  ...(fields.apiKey.trim() === '' ? {} : { apiKey: fields.apiKey.trim() }),
  ...(isAdmin ? { isShared: fields.isShared } : {}),
})

/** Other queries that show the providers in use. */
export const staleWithProviders = ['/api/providers', '/api/platform', '/api/overview', '/api/settings', '/api/agents']
