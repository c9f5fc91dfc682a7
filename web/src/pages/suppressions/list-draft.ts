// The form of an imported list, and its request bodies. Pure.
import type { SuppressionList } from '../../../../client/paths.ts'

export type ListDraft = {
  name: string
  sector: string
  /** A calendar date such as 2026-12-01, effective from local midnight. Empty means effective now. */
  effectiveDay: string
}

export const emptyDraft: ListDraft = { name: '', sector: '', effectiveDay: '' }

export const draftOf = ({ name, sector, effectiveAt }: SuppressionList): ListDraft => ({
  name,
  sector: sector ?? '',
  effectiveDay: dayOf(effectiveAt),
})

const two = (n: number) => String(n).padStart(2, '0')

export function dayOf(at: string): string {
  const date = new Date(at)
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}

/** Null if it is not a date. */
export function momentOf(day: string): string | null {
  const [, y = '', m = '', d = ''] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(day) ?? []
  if (y === '') return null
  return new Date(Number(y), Number(m) - 1, Number(d)).toISOString()
}

export type NewList = ReturnType<typeof newListOf>
export const newListOf = ({ name, sector, effectiveDay }: ListDraft) => ({
  name: name.trim(),
  sector: sector.trim() || null,
  effectiveAt: momentOf(effectiveDay),
})

/** Returns only the changes: an unchanged date keeps its time of day. */
export function changesOf(list: SuppressionList, draft: ListDraft) {
  const { name, sector, effectiveAt } = newListOf(draft)
  return {
    ...(name === list.name ? {} : { name }),
    ...(sector === list.sector ? {} : { sector }),
    ...(effectiveAt === null || draft.effectiveDay === dayOf(list.effectiveAt) ? {} : { effectiveAt }),
  }
}

const types: Readonly<Record<string, string>> = {
  csv: 'text/csv',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
}
export const acceptedFiles = '.csv,.xlsx'

/** Undefined if the file is neither CSV nor XLSX. */
export const fileTypeOf = (name: string): string | undefined => types[name.toLowerCase().split('.').at(-1) ?? '']
