// What is typed about an imported list, and what is sent of it. Pure.
import type { SuppressionList } from '../../../../client/paths.ts'

export type ListDraft = {
  name: string
  sector: string
  /** A day of the calendar, 2026-12-01; it holds from its first minute here. Empty: from now on. */
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

/** Null when it is no day. */
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

/** Only what was changed: the time of day of a date that stays the same is kept. */
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

/** Undefined: neither CSV nor XLSX. */
export const fileTypeOf = (name: string): string | undefined => types[name.toLowerCase().split('.').at(-1) ?? '']
