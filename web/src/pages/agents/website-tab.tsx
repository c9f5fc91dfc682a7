// How to add the agent to a website.
import { Anchor, Box, Button, Code, CopyButton, Group, Stack, Text, Title } from '@mantine/core'
import { IconCheck, IconCopy, IconMicrophone } from '@tabler/icons-react'
import { Link } from 'wouter'
import { queries } from '../../api.ts'
import { Section } from '../../components/section.tsx'
import { commonTexts } from '../../i18n/common-texts.ts'
import { useTexts } from '../../i18n/language-provider.tsx'
import type { AgentFormProps } from './agent-form.tsx'
import { connectionsTexts } from './connections-texts.ts'
import { pageSnippet, serverSnippet } from './website-snippet.ts'

export function WebsiteTab({ agent }: AgentFormProps) {
  const t = useTexts(connectionsTexts)
  const { data: platform } = queries.useQuery('get', '/api/platform', {}, { staleTime: 60_000 })
  const server = (platform?.publicUrl ?? location.origin).replace(/\/+$/, '')
  return (
    <Section
      title={t.site}
      about={t.siteAbout}
      actions={
        <Button
          component={Link}
          href={`/agents/${agent.id}/talk`}
          variant="default"
          leftSection={<IconMicrophone size={16} aria-hidden />}
        >
          {t.tryHere}
        </Button>
      }
    >
      <Step number={1} title={t.step1} name={t.server} code={serverSnippet(server, agent.id)}>
        {t.step1Text}{' '}
        <Anchor component={Link} href="/keys" inherit underline="always">
          {t.makeKey}
        </Anchor>
      </Step>
      <Step
        number={2}
        title={t.step2}
        name={t.page}
        code={pageSnippet(server, { start: t.startLabel, stop: t.stopLabel })}
      >
        {t.step2Text}
      </Step>
    </Section>
  )
}

function Step({
  number,
  title,
  name,
  code,
  children,
}: {
  number: number
  title: string
  name: string
  code: string
  children: React.ReactNode
}) {
  const t = useTexts(commonTexts)
  return (
    <Stack gap="xs">
      <Title order={3} size="h5">
        {number}. {title}
      </Title>
      <Text size="sm" c="dimmed" component="div">
        {children}
      </Text>
      <Box>
        <Group justify="space-between" mb={4}>
          <Text size="xs" fw={600} c="dimmed">
            {name}
          </Text>
          <CopyButton value={code}>
            {({ copied, copy }) => (
              <Button
                size="compact-xs"
                variant="subtle"
                onClick={copy}
                aria-label={`${copied ? t.copied : t.copy}: ${name}`}
                leftSection={copied ? <IconCheck size={14} aria-hidden /> : <IconCopy size={14} aria-hidden />}
              >
                {copied ? t.copied : t.copy}
              </Button>
            )}
          </CopyButton>
        </Group>
        {/* Long lines scroll, also by keyboard. */}
        <Code block tabIndex={0} aria-label={name} role="region" style={{ overflowX: 'auto' }}>
          {code}
        </Code>
      </Box>
    </Stack>
  )
}
