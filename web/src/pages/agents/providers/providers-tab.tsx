// The agent's providers in order: language model, speech recognition and voice, each ending with the built-in engine.
import { Alert, Stack, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { queries } from '../../../api.ts'
import { QueryResult } from '../../../components/query-states.tsx'
import { Section } from '../../../components/section.tsx'
import { useTexts } from '../../../i18n/language-provider.tsx'
import type { AgentFormProps } from '../agent-form.ts'
import { chainKinds } from './chain-draft.ts'
import { warningsOf } from './chain-links.ts'
import { ChainList } from './chain-list.tsx'
import { chainTexts } from './chain-texts.ts'

/** Polling interval: health changes with every call. */
const AGAIN_MS = 30_000

export function ProvidersTab(part: AgentFormProps) {
  const t = useTexts(chainTexts)
  const accounts = queries.useQuery('get', '/api/providers', {}, { refetchInterval: AGAIN_MS })
  const path = { params: { path: { id: part.agent.id } } }
  const { data: chain } = queries.useQuery('get', '/api/agents/{id}/chain', path, { refetchInterval: AGAIN_MS })
  return (
    <Stack gap="lg">
      <Text size="sm" c="dimmed">
        {t.intro}
      </Text>
      <QueryResult query={accounts}>
        {(found) =>
          chainKinds.map((kind) => (
            <Section key={kind} title={t.kinds[kind].title} about={t.kinds[kind].about}>
              <ChainList kind={kind} accounts={found.filter((account) => account.kind === kind)} {...part} />
              {warningsOf(chain, kind).map((code) => (
                <Alert
                  key={code}
                  color="yellow"
                  variant="light"
                  p="xs"
                  icon={<IconAlertTriangle size={18} aria-hidden />}
                >
                  {t.warning[code]}
                </Alert>
              ))}
            </Section>
          ))
        }
      </QueryResult>
    </Stack>
  )
}
