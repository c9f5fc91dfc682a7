// A notice while no language model is configured: replies are approximate, and where to add a model.
import { Alert, Anchor, Text } from '@mantine/core'
import { IconBrain } from '@tabler/icons-react'
import { Link, useLocation } from 'wouter'
import { queries } from '../api.ts'
import { useTexts } from '../i18n/language-provider.tsx'
import { texts } from '../i18n/texts.ts'

export const PROVIDERS = '/providers'

const noticeTexts = texts(
  {
    text: 'Sem modelo de linguagem, o agente responde por regras, e as respostas são aproximadas.',
    action: 'Conectar um modelo',
  },
  {
    text: 'Without a language model the agent replies by rules, and its answers are approximate.',
    action: 'Connect a model',
  },
  {
    text: 'Sin un modelo de lenguaje, el agente responde por reglas y sus respuestas son aproximadas.',
    action: 'Conectar un modelo',
  },
)

/** Renders nothing if a model is set, or while that is unknown. */
export function NoModelNotice() {
  const t = useTexts(noticeTexts)
  const [, id] = /^\/agents\/(agt_\w+)/.exec(useLocation()[0]) ?? []
  const { data: platform } = queries.useQuery('get', '/api/platform')
  if (!platform || platform.model !== null) return null
  return (
    <Alert color="yellow" variant="light" icon={<IconBrain size={18} aria-hidden />} role="status">
      <Text size="sm" span>
        {t.text}{' '}
        <Anchor
          component={Link}
          href={id ? `${PROVIDERS}?agent=${id}` : PROVIDERS}
          size="sm"
          fw={600}
          c="inherit"
          underline="always"
        >
          {t.action}
        </Anchor>
      </Text>
    </Alert>
  )
}
