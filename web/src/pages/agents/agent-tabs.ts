// The tabs of the agent page, in groups: the group of each tab, and the tabs with invalid fields. Pure.
import type { Draft, Problems } from './agent-draft.ts'

export const tabGroups = [
  { group: 'script', tabs: ['prompt'] },
  { group: 'voice', tabs: ['voice'] },
  { group: 'conversation', tabs: ['turns'] },
  { group: 'connections', tabs: ['tools', 'knowledge', 'phone', 'site'] },
  { group: 'advanced', tabs: ['general', 'model', 'providers', 'after'] },
] as const

export type GroupName = (typeof tabGroups)[number]['group']
export type TabName = (typeof tabGroups)[number]['tabs'][number]

const allTabs: readonly TabName[] = tabGroups.flatMap(({ tabs }) => tabs)

/** The tab named in the URL; defaults to the first. */
export const tabFrom = (asked: string | null): TabName => allTabs.find((tab) => tab === asked) ?? 'prompt'

export const groupOf = (tab: TabName): GroupName =>
  tabGroups.find(({ tabs }) => (tabs as readonly TabName[]).includes(tab))?.group ?? 'script'

export const tabsIn = (group: GroupName): readonly TabName[] =>
  tabGroups.find((one) => one.group === group)?.tabs ?? ['prompt']

/** The tab of each field that can be invalid. */
const tabOfField: Partial<Record<keyof Draft, TabName>> = {
  name: 'general',
  providerA: 'voice',
  moreModel: 'model',
  llmFallbacks: 'providers',
  sttFallbacks: 'providers',
  voiceFallbacks: 'providers',
  voicemailMessage: 'after',
  fields: 'after',
}

/** In page order. */
export function tabsWithProblems(problems: Problems): TabName[] {
  const wrong = new Set(Object.keys(problems).map((field) => tabOfField[field as keyof Draft] ?? 'prompt'))
  return allTabs.filter((tab) => wrong.has(tab))
}
