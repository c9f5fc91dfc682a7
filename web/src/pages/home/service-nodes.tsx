// The cluster's nodes with their load, for administrators; hidden on a single node.
import type { Overview } from '../../../../client/paths.ts'
import { RelativeTime } from '../../components/date-time.tsx'
import { type Column, RecordTable } from '../../components/record-table.tsx'
import { Section } from '../../components/section.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { useLanguage, useTexts } from '../../i18n/language-provider.tsx'
import { serviceNodesTexts } from './service-nodes-texts.ts'

type ServiceNode = Overview['nodes'][number]

const tones = { up: 'good', draining: 'warn', down: 'bad' } as const

export function ServiceNodes({ nodes }: { nodes: readonly ServiceNode[] }) {
  const t = useTexts(serviceNodesTexts)
  const { locale } = useLanguage()
  if (nodes.length < 2) return null
  const number = (n: number) => n.toLocaleString(locale)
  const percent = (n: number) => (n / 100).toLocaleString(locale, { style: 'percent' })
  const columns: Column<ServiceNode>[] = [
    { name: t.name, cell: ({ name }) => name },
    { name: t.state, cell: ({ state }) => <StatusBadge tone={tones[state]} word={t.states[state]} /> },
    {
      name: t.calls,
      cell: ({ calls, maxCalls }) => (
        <span className="numbers">{maxCalls === null ? t.phoneOff : t.callsOf(number(calls), number(maxCalls))}</span>
      ),
    },
    {
      name: t.cpu,
      cell: ({ cpuPercent }) => (
        <span className="numbers">
          {t.cpu} {percent(cpuPercent)}
        </span>
      ),
    },
    { name: t.version, cell: ({ version }) => <span className="numbers">{version}</span> },
    { name: t.started, isEnd: true, cell: ({ startedAt }) => <RelativeTime at={startedAt} /> },
  ]
  return (
    <Section title={t.title} isPlain>
      <RecordTable label={t.title} rows={nodes} columns={columns} keyOf={({ name }) => name} />
    </Section>
  )
}
