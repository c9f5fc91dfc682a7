// The palette's entries: pages, actions, guides, and the user's agents, numbers, campaigns, tools, people and latest
// calls.
import { useComputedColorScheme, useMantineColorScheme } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { queries } from '../../api.ts'
import { useAgents } from '../../components/agent-name.tsx'
import { formatDuration } from '../../components/date-time.tsx'
import { guideHref, guidesHref, isTranslated } from '../../components/page-guides.ts'
import { formatNumber } from '../../components/phone-number.ts'
import { type Language, languageNames, languages } from '../../i18n/language.ts'
import { useLanguage, useTexts } from '../../i18n/language-provider.tsx'
import { useMayOpen } from '../../organization.ts'
import { shortTime } from '../../pages/calls/call-heading.ts'
import { useRemoteParty } from '../../pages/calls/call-status.tsx'
import { settingsTabs } from '../../pages/settings/settings-tabs.ts'
import { settingsTexts } from '../../pages/settings/settings-texts.ts'
import { LISTS } from '../../pages/suppressions/suppression-tabs.tsx'
import { suppressionsTexts } from '../../pages/suppressions/suppressions-texts.ts'
import { useIsAdmin } from '../../session.tsx'
import { navigation } from '../navigation.ts'
import { navigationTexts } from '../navigation-texts.ts'
import { usePeople } from './palette-people.ts'
import type { Entry } from './palette-ranking.ts'
import { paletteTexts } from './palette-texts.ts'

const MAX_NUMBERS = 250
const MAX_OTHERS = 100
const RECENT_CALLS = 20

type Guide = { name: string; title: string }

/** The guide list is public, like the guides. If it fails to load, the palette lists no guides. */
const useGuides = (language: Language) =>
  useQuery({
    queryKey: ['guides', language],
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    queryFn: async (): Promise<Guide[]> => {
      const response = await fetch(`${guidesHref(language)}/list.json`)
      return response.ok ? await response.json() : []
    },
  })

export function useEntries(showShortcuts: () => void, text: string): Entry[] {
  const actions = useActions(showShortcuts)
  const records = useRecords()
  const people = usePeople(text)
  const settings = useSettingsPages()
  const t = useTexts(navigationTexts)
  const isAdmin = useIsAdmin()
  const mayOpen = useMayOpen()
  return useMemo(() => {
    const places = navigation.flatMap((group) => [...group.places])
    const pages = places
      .filter((place) => isAdmin || !('isForAdmins' in place))
      .map(({ to, name }): Entry => ({ id: to, kind: 'page', name: t[name], keywords: to.slice(1), to }))
    const all = [...actions, ...pages, ...settings, ...records, ...people]
    return all.filter((entry) => !('to' in entry) || entry.isOutside || mayOpen(entry.to))
  }, [actions, records, people, settings, t, isAdmin, mayOpen])
}

/** The settings tabs, for administrators only, and the page behind the second tab of the do-not-call list. */
function useSettingsPages(): Entry[] {
  const [t, n, s] = [useTexts(settingsTexts), useTexts(navigationTexts), useTexts(suppressionsTexts)]
  const isAdmin = useIsAdmin()
  return useMemo(() => {
    const tabs = isAdmin ? settingsTabs : []
    return [
      { id: LISTS, kind: 'page', name: s.listsTab, detail: n.suppressions, keywords: 'do not call lists', to: LISTS },
      ...tabs.map((tab): Entry => {
        const to = `/settings?tab=${tab}`
        return { id: to, kind: 'page', name: `${n.settings}: ${t.tabs[tab]}`, keywords: `settings ${tab}`, to }
      }),
    ]
  }, [t, n, s, isAdmin])
}

function useActions(showShortcuts: () => void): Entry[] {
  const t = useTexts(paletteTexts)
  const shell = useTexts(navigationTexts)
  const { language, choose } = useLanguage()
  const { setColorScheme } = useMantineColorScheme()
  const isDark = useComputedColorScheme('light') === 'dark'
  return useMemo(() => {
    const action = (
      name: string,
      what: { to: string; isOutside?: true } | { run: () => void },
      keywords = '',
    ): Entry => ({
      id: `action ${name}`,
      kind: 'action',
      name,
      keywords,
      ...what,
    })
    return [
      action(t.newAgent, { to: '/agents/new' }, 'new agent'),
      action(t.newCampaign, { to: '/campaigns/new' }, 'new campaign list outbound'),
      action(t.callingRules, { to: '/calling-rules' }, 'calling rules holidays hours'),
      action(t.callNumber, { to: '/live?place' }, 'call dial'),
      action(
        isDark ? shell.light : shell.dark,
        { run: () => setColorScheme(isDark ? 'light' : 'dark') },
        'theme dark light',
      ),
      action(t.shortcuts, { run: showShortcuts }, 'keyboard ?'),
      action(t.guides, { to: guidesHref(language), isOutside: true }, 'help docs guides'),
      action(t.apiReference, { to: '/docs', isOutside: true }, 'api docs openapi curl'),
      ...languages
        .filter((one) => one !== language)
        .map((one) => action(t.language(languageNames[one]), { run: () => choose(one) }, `language ${one}`)),
    ]
  }, [t, shell, isDark, language, choose, setColorScheme, showShortcuts])
}

function useRecords(): Entry[] {
  const t = useTexts(paletteTexts)
  const { language, locale } = useLanguage()
  const other = useRemoteParty()
  const { data: agents } = useAgents()
  const { data: numbers } = queries.useQuery('get', '/api/did', { params: { query: { limit: MAX_NUMBERS } } })
  const { data: calls } = queries.useQuery('get', '/api/calls', { params: { query: { limit: RECENT_CALLS } } })
  const some = { params: { query: { limit: MAX_OTHERS } } }
  const { data: campaigns } = queries.useQuery('get', '/api/campaigns', some)
  const { data: tools } = queries.useQuery('get', '/api/tools', some)
  const { data: guides } = useGuides(language)
  const agentEntries = agents?.flatMap(({ id, name, description }): Entry[] => [
    { id, kind: 'agent', name, detail: description ?? undefined, to: `/agents/${id}` },
    { id: `talk ${id}`, kind: 'action', name: t.talkTo(name), to: `/agents/${id}/talk` },
  ])
  const numberEntries = numbers?.map(
    ({ id, phoneNumber, agentId }): Entry => ({
      id,
      kind: 'number',
      name: formatNumber(phoneNumber),
      detail: agents?.find((agent) => agent.id === agentId)?.name,
      keywords: phoneNumber,
      to: `/numbers?q=${encodeURIComponent(phoneNumber)}`,
    }),
  )
  const callEntries = calls?.map(
    (call): Entry => ({
      id: call.id,
      kind: 'call',
      name: `${other(call)} · ${shortTime(call.startedAt, locale)}`,
      detail: call.durationSeconds === null ? undefined : formatDuration(call.durationSeconds),
      keywords: call.id,
      to: `/calls/${call.id}`,
    }),
  )
  const campaignEntries = campaigns?.map(
    ({ id, name }): Entry => ({ id, kind: 'campaign', name, keywords: id, to: `/campaigns/${id}` }),
  )
  const toolEntries = tools?.map(
    ({ id, name, description }): Entry => ({
      id,
      kind: 'tool',
      name,
      detail: description ?? undefined,
      to: `/tools/${id}`,
    }),
  )
  const guideEntries = guides?.map(
    ({ name, title }): Entry => ({
      id: `guide ${name}`,
      kind: 'guide',
      name: title,
      detail: isTranslated(name, language) ? undefined : t.inEnglish,
      keywords: name,
      to: guideHref({ guide: name }, language),
      isOutside: true,
    }),
  )
  const all = [agentEntries, numberEntries, campaignEntries, toolEntries, callEntries, guideEntries]
  return all.flatMap((entries) => entries ?? [])
}
