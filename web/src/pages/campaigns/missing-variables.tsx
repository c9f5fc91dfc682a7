// The agent's variables that the list does not fill; those that differ only in spelling can be renamed in the agent.
import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react'
import type { Agent } from '../../../../client/paths.ts'
import { api, queries, unwrap } from '../../api.ts'
import { useGuardedSave } from '../../components/guarded-save.tsx'
import { useAction } from '../../components/use-action.tsx'
import { useTexts } from '../../i18n/language-provider.tsx'
import { applySuggestion, builtInVariables, namesIn } from '../agents/prompt-variables.ts'
import { type Unfilled, unfilled } from './column-variables.ts'
import { wizardTexts } from './wizard-texts.ts'

const braced = (name: string) => `{{${name}}}`

export function MissingVariables({ agentId, columns }: { agentId: string; columns: readonly string[] }) {
  const t = useTexts(wizardTexts)
  const { data: agent } = queries.useQuery('get', '/api/agents/{id}', { params: { path: { id: agentId } } })
  if (!agent) return null
  const values = (agent.settings as { variables?: Record<string, string> } | null)?.variables ?? {}
  const used = namesIn(agent.initialSpeech ?? '', agent.systemPrompt)
  const missing = unfilled(used, { given: [...builtInVariables, ...Object.keys(values)], columns })
  const unknown = missing.filter(({ similar }) => similar === null).map(({ name }) => braced(name))
  if (missing.length === 0)
    return (
      <Text size="sm" c="dimmed">
        <IconCheck size={14} aria-hidden /> {t.noneMissing}
      </Text>
    )
  return (
    <Alert
      color="yellow"
      variant="light"
      icon={<IconAlertTriangle aria-hidden />}
      title={t.missingTitle}
      styles={{ message: { color: 'var(--mantine-color-text)' } }}
    >
      <Stack gap="xs">
        {missing.map((one) => one.similar !== null && <Rename key={one.name} agent={agent} one={one} />)}
        {unknown.length > 0 && t.missing(unknown.join(', '), unknown.length === 1)}
      </Stack>
    </Alert>
  )
}

function Rename({ agent, one: { name, similar } }: { agent: Agent; one: Unfilled }) {
  const t = useTexts(wizardTexts)
  const { isPending, run } = useAction()
  const guarded = useGuardedSave({ fields: { systemPrompt: t.prompt, initialSpeech: t.greeting } })
  const renamed = (text: string) =>
    applySuggestion(text, { kind: 'unknown', name, from: 0, to: 0, suggestion: similar })
  const rename = () => {
    const params = { path: { id: agent.id } }
    const patch = {
      systemPrompt: renamed(agent.systemPrompt),
      ...(agent.initialSpeech ? { initialSpeech: renamed(agent.initialSpeech) } : {}),
    }
    return run(
      () =>
        guarded.save<Agent>({
          base: agent,
          patch,
          load: () => unwrap(api.GET('/api/agents/{id}', { params })),
          send: (body, headers) => unwrap(api.PATCH('/api/agents/{id}', { params, headers, body })),
        }),
      { success: t.renamed(agent.name), stale: ['/api/agents'] },
    )
  }
  return (
    <Group gap="xs">
      <Text size="sm">{t.namedOtherwise(braced(name), braced(similar ?? ''))}</Text>
      <Button size="xs" variant="default" loading={isPending} onClick={() => void rename()}>
        {t.renameTo(braced(similar ?? ''))}
      </Button>
      {guarded.dialog}
    </Group>
  )
}
