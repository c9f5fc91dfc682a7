// The webhook form: values and request body. Pure.
import type { Webhook } from '../../../../client/paths.ts'
import { type EventGroup, eventGroups } from '../../event-types.ts'

export type WebhookForm = {
  url: string
  description: string
  isActive: boolean
  /** All events, including future ones. */
  isAll: boolean
  events: Webhook['events']
  agentIds: string[]
}

export const emptyWebhook: WebhookForm = {
  url: '',
  description: '',
  isActive: true,
  isAll: true,
  events: ['call.ended', 'call.analyzed'],
  agentIds: [],
}

export const formOf = ({ url, description, isActive, events, agentIds }: Webhook): WebhookForm => ({
  url,
  description: description ?? '',
  isActive,
  isAll: events.includes('*'),
  events: events.filter((event) => event !== '*'),
  agentIds: agentIds ?? [],
})

export const bodyOf = ({ url, description, isActive, isAll, events, agentIds }: WebhookForm) => ({
  url: url.trim(),
  description: description.trim() || null,
  isActive,
  events: isAll ? (['*'] as Webhook['events']) : events,
  agentIds: agentIds.length === 0 ? null : agentIds,
})

export type WebhookProblem = 'url' | 'events'

export function problemsOf({ url, isAll, events }: WebhookForm): WebhookProblem[] {
  const problems: WebhookProblem[] = []
  if (!/^https?:\/\/[^\s@/]+(\/\S*)?$/.test(url.trim())) problems.push('url')
  if (!isAll && events.length === 0) problems.push('events')
  return problems
}

/** Selects or clears a whole group. */
export function withGroup(events: Webhook['events'], group: EventGroup, isOn: boolean): Webhook['events'] {
  const own: readonly string[] = eventGroups[group]
  const others = events.filter((event) => !own.includes(event))
  return isOn ? [...others, ...eventGroups[group]] : others
}

export const isWholeGroup = (events: Webhook['events'], group: EventGroup): boolean =>
  eventGroups[group].every((event) => events.includes(event))
