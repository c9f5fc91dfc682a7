// The list of website widgets.
import { Anchor, Button, Group, Paper, Stack, Text, Title } from '@mantine/core'
import { IconAppWindow, IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { Link, useLocation, useSearch } from 'wouter'
import type { Widget } from '../../../../client/paths.ts'
import { queries } from '../../api.ts'
import { AgentName, useAgents } from '../../components/agent-name.tsx'
import { Page } from '../../components/page.tsx'
import { EmptyState, QueryResult } from '../../components/query-states.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { useTexts } from '../../i18n/language-provider.tsx'
import { NewWidget } from './new-widget.tsx'
import { widgetsTexts } from './widgets-texts.ts'

export function Widgets() {
  const t = useTexts(widgetsTexts)
  const [, go] = useLocation()
  // A link from an agent's page sets this, which opens the dialog for a new widget.
  const agentId = new URLSearchParams(useSearch()).get('new')
  const widgets = queries.useQuery('get', '/api/widgets')
  const { data: agents } = useAgents()
  const [isMaking, setMaking] = useState(agentId !== null)
  const isWithoutAgent = agents?.length === 0
  const make = isWithoutAgent ? (
    <Button component={Link} href="/agents/new">
      {t.makeAgent}
    </Button>
  ) : (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setMaking(true)}>
      {t.make}
    </Button>
  )
  return (
    <Page title={t.title} about={t.about} actions={widgets.data?.length !== 0 && make}>
      <QueryResult query={widgets}>
        {(rows) =>
          rows.length === 0 ? (
            <EmptyState
              icon={<IconAppWindow aria-hidden />}
              title={t.emptyTitle}
              text={isWithoutAgent ? t.noAgent : t.emptyText}
              action={make}
            />
          ) : (
            <Stack component="ul" gap="sm" p={0} m={0}>
              {rows.map((widget) => (
                <WidgetCard key={widget.id} widget={widget} />
              ))}
            </Stack>
          )
        }
      </QueryResult>
      {isMaking && !isWithoutAgent && (
        <NewWidget
          agentId={agentId}
          onClose={() => setMaking(false)}
          onCreated={({ id }) => {
            setMaking(false)
            go(`/widgets/${id}`)
          }}
        />
      )}
    </Page>
  )
}

function WidgetCard({ widget }: { widget: Widget }) {
  const t = useTexts(widgetsTexts)
  const { id, name, agentId, origins, channels, isActive } = widget
  return (
    <Paper withBorder p="md" component="li" style={{ listStyle: 'none' }}>
      <Group justify="space-between" gap="sm">
        <div style={{ minWidth: 0, flex: '1 1 260px' }}>
          <Group gap="xs">
            <Title order={2} size="h6" style={{ overflowWrap: 'anywhere' }}>
              <Anchor component={Link} href={`/widgets/${id}`} inherit>
                {name}
              </Anchor>
            </Title>
            <StatusBadge tone={isActive ? 'good' : 'off'} word={isActive ? t.on : t.off} />
          </Group>
          <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
            {origins.length === 0 ? t.noOrigins : origins.join(' · ')}
          </Text>
        </div>
        <div>
          <AgentName id={agentId} />
          <Text size="sm" c="dimmed">
            {channels.map((channel) => t[channel]).join(' · ')}
          </Text>
        </div>
      </Group>
    </Paper>
  )
}
