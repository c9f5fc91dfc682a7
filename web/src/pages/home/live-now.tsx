// The calls in progress, each linking to its live view.
import { Anchor, Group, Text } from '@mantine/core'
import { useEffect, useState } from 'react'
import { Link } from 'wouter'
import type { Call, Overview } from '../../../../client/paths.ts'
import { queries } from '../../api.ts'
import { useAgents } from '../../components/agent-name.tsx'
import { formatDuration } from '../../components/date-time.tsx'
import { Section } from '../../components/section.tsx'
import { useLanguage, useTexts } from '../../i18n/language-provider.tsx'
import { useMayOpen } from '../../organization.ts'
import { useRemoteParty } from '../calls/call-status.tsx'
import { figuresTexts } from './figures-texts.ts'
import classes from './home.module.css'

const SHOWN = 4

export function LiveNow({ overview: { callsNow, waitingCalls } }: { overview: Overview }) {
  const t = useTexts(figuresTexts)
  const { locale } = useLanguage()
  const { data: calls = [] } = queries.useQuery(
    'get',
    '/api/calls',
    { params: { query: { live: true, limit: SHOWN } } },
    { enabled: callsNow > 0 },
  )
  const shown = callsNow > 0 ? calls : []
  const to = callsNow > 0 ? '/live' : '/live?place'
  return (
    <Section
      title={t.now}
      actions={
        useMayOpen()(to) && (
          <Anchor component={Link} href={to} size="sm">
            {callsNow > 0 ? t.watch : t.placeCall}
          </Anchor>
        )
      }
    >
      <div>
        {shown.map((call) => (
          <LiveRow key={call.id} call={call} />
        ))}
        {callsNow === 0 && (
          <Group gap={10} wrap="nowrap">
            <span className={`${classes.pulse} ${classes.isQuiet}`} aria-hidden />
            <Text size="sm" c="dimmed">
              {t.nowNone}
            </Text>
          </Group>
        )}
        {callsNow > SHOWN && (
          <Text size="sm" c="dimmed" mt={4}>
            {t.nowMore((callsNow - SHOWN).toLocaleString(locale))}
          </Text>
        )}
        {waitingCalls > 0 && (
          <Text size="sm" c="dimmed" mt={4}>
            {t.waiting(waitingCalls)}
          </Text>
        )}
      </div>
    </Section>
  )
}

function LiveRow({ call }: { call: Call }) {
  const other = useRemoteParty()
  const { data: agents } = useAgents()
  const agent = agents?.find(({ id }) => id === call.agentId)?.name
  return (
    <Link href={`/live?call=${call.id}`} className={classes.live}>
      <span className={classes.pulse} aria-hidden />
      <div style={{ flex: 1, minWidth: 0 }}>
        <Text size="sm" fw={600} className="numbers" style={{ overflowWrap: 'anywhere' }}>
          {other(call)}
        </Text>
        {agent && (
          <Text size="xs" c="dimmed" truncate>
            {agent}
          </Text>
        )}
      </div>
      <Elapsed since={call.answeredAt ?? call.startedAt} />
    </Link>
  )
}

function Elapsed({ since }: { since: string }) {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [])
  return (
    <Text size="sm" className="numbers" role="timer">
      {formatDuration((now - Date.parse(since)) / 1000)}
    </Text>
  )
}
