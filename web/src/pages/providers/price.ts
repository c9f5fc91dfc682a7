// Manually entered prices of an account: which ones each kind has, their form values and display. Pure.
import type { Kind } from './vendors.ts'

const priceNames = ['inputPerMillionTokens', 'outputPerMillionTokens', 'perMinute', 'perMillionCharacters'] as const
export type PriceName = (typeof priceNames)[number]

export type Prices = { currency: string } & { [K in PriceName]?: number | null | undefined }

export const pricesOfKind: Readonly<Record<Kind, readonly PriceName[]>> = {
  llm: ['inputPerMillionTokens', 'outputPerMillionTokens'],
  stt: ['perMinute'],
  tts: ['perMillionCharacters'],
  embeddings: ['inputPerMillionTokens'],
}

export const currencies = ['USD', 'EUR', 'BRL', 'GBP', 'MXN', 'ARS', 'CLP', 'COP', 'PEN', 'UYU'] as const

/** Empty means not entered. */
export type PriceFields = { currency: string } & Readonly<Record<PriceName, number | ''>>

export function priceFieldsOf(prices: Prices | null | undefined): PriceFields {
  const entries = priceNames.map((name) => [name, prices?.[name] ?? ''] as const)
  return { currency: prices?.currency ?? 'USD', ...(Object.fromEntries(entries) as Record<PriceName, number | ''>) }
}

/** Null if no price was entered. */
export function pricesFrom(kind: Kind, fields: PriceFields): Prices | null {
  const entered = pricesOfKind[kind].filter((name) => fields[name] !== '')
  if (entered.length === 0) return null
  return { currency: fields.currency, ...Object.fromEntries(entered.map((name) => [name, fields[name]])) }
}

/** For example "US$ 0.25", with as many decimals as a price per minute needs. */
export const money = (amount: number, currency: string, locale: string): string =>
  new Intl.NumberFormat(locale, {
    style: 'currency',
    currency,
    minimumFractionDigits: 0,
    maximumFractionDigits: 6,
  }).format(amount)

type PriceWords = Readonly<Record<PriceName, (amount: string) => string>>

/** Each price with its unit; null if none was entered. */
export function priceText(
  kind: Kind,
  prices: Prices | null | undefined,
  { locale, words }: { locale: string; words: PriceWords },
): string | null {
  if (!prices) return null
  const parts = pricesOfKind[kind].flatMap((name) => {
    const amount = prices[name]
    return amount == null ? [] : [words[name](money(amount, prices.currency, locale))]
  })
  return parts.length > 0 ? parts.join(', ') : null
}

type Priced = {
  kind: Kind
  vendor: string
  model: string
  prices?: Prices | null
  health?: { firstMs: number | null } | null
}

/** Known prices and latencies of a vendor's models, from accounts that use them and from tests just run. */
export function knownFigures(
  accounts: readonly Priced[],
  { kind, vendor, tested }: { kind: Kind; vendor: string; tested: ReadonlyMap<string, number> },
): Map<string, { firstMs: number | null; prices: Prices | null }> {
  const figures = new Map<string, { firstMs: number | null; prices: Prices | null }>()
  for (const one of accounts)
    if (one.kind === kind && one.vendor === vendor) {
      const before = figures.get(one.model)
      figures.set(one.model, {
        firstMs: before?.firstMs ?? one.health?.firstMs ?? null,
        prices: before?.prices ?? one.prices ?? null,
      })
    }
  for (const [model, firstMs] of tested) figures.set(model, { prices: figures.get(model)?.prices ?? null, firstMs })
  return figures
}
