// Filters and sort orders of the call list, as kept in the page's URL.
import type { Call } from '../../../../client/paths.ts'
import type { FilterField } from '../../components/list/list-address.ts'

export const statuses = [
  'initiating',
  'ringing',
  'in_progress',
  'transferring',
  'completed',
  'failed',
  'busy',
  'no_answer',
  'canceled',
] as const satisfies readonly Call['status'][]
export const directions = ['inbound', 'outbound'] as const
/** `false` excludes test calls, `true` shows only them. */
export const testChoices = ['false', 'true'] as const

export const callFields: readonly FilterField[] = [
  { key: 'agent', param: 'agentId' },
  { key: 'status', values: statuses },
  { key: 'direction', values: directions },
  { key: 'test', param: 'isTest', values: testChoices },
  { key: 'from', values: 'day' },
  { key: 'to', values: 'day', isEnd: true },
]
export const callSorts = ['startedAt', 'durationSeconds']
