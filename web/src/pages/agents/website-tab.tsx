// Instructions for adding the agent to a website.
import { Anchor, Box, Button, Code, Collapse, CopyButton, Group, Stack, Text, Title } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconAppWindow, IconCheck, IconChevronDown, IconCopy, IconMicrophone, IconWebhook } from '@tabler/icons-react'
import { useState } from 'react'
import { Link } from 'wouter'
import { AnswerHookDialog } from '../../components/answer-hook/answer-hook-dialog.tsx'
import { answerHookTexts } from '../../components/answer-hook/answer-hook-texts.ts'
import { usePublicAddress } from '../../components/public-address.tsx'
import { Section } from '../../components/section.tsx'
import { commonTexts } from '../../i18n/common-texts.ts'
import { useTexts } from '../../i18n/language-provider.tsx'
import { useMay } from '../../organization.ts'
import type { AgentFormProps } from './agent-form.ts'
import { connectionsTexts } from './connections-texts.ts'
import { pageSnippet, serverSnippet } from './website-snippet.ts'

export function WebsiteTab({ agent }: AgentFormProps) {
  const t = useTexts(connectionsTexts)
  const h = useTexts(answerHookTexts)
  const mayReadHooks = useMay('webhooks:read')
  const [isHookOpen, setHookOpen] = useState(false)
  const [isCodeOpen, code] = useDisclosure(false)
  return (
    <Section
      title={t.site}
      about={t.siteAbout}
      actions={
        <>
          <Button
            component={Link}
            href={`/agents/${agent.id}/talk`}
            variant="default"
            leftSection={<IconMicrophone size={16} aria-hidden />}
          >
            {t.tryHere}
          </Button>
          {mayReadHooks && (
            <Button
              variant="default"
              leftSection={<IconWebhook size={16} aria-hidden />}
              onClick={() => setHookOpen(true)}
            >
              {h.open}
            </Button>
          )}
          <Button
            component={Link}
            href={`/widgets?new=${agent.id}`}
            leftSection={<IconAppWindow size={16} aria-hidden />}
          >
            {t.widget}
          </Button>
        </>
      }
    >
      {isHookOpen && <AnswerHookDialog owner={{ kind: 'agent', id: agent.id }} onClose={() => setHookOpen(false)} />}
      <Text size="sm">{t.widgetText}</Text>
      <Button
        variant="subtle"
        color="gray"
        size="compact-sm"
        aria-expanded={isCodeOpen}
        onClick={code.toggle}
        leftSection={<IconChevronDown size={16} aria-hidden />}
        style={{ alignSelf: 'flex-start' }}
      >
        {t.ownCode}
      </Button>
      <Collapse expanded={isCodeOpen}>
        <OwnCode agentId={agent.id} />
      </Collapse>
    </Section>
  )
}

function OwnCode({ agentId }: { agentId: string }) {
  const t = useTexts(connectionsTexts)
  const { address, isOffered, card } = usePublicAddress()
  if (!isOffered) return card
  return (
    <Stack>
      <Step number={1} title={t.step1} name={t.server} code={serverSnippet(address, agentId, t.keyStays)}>
        {t.step1Text}{' '}
        <Anchor component={Link} href="/keys" inherit underline="always">
          {t.makeKey}
        </Anchor>
      </Step>
      <Step
        number={2}
        title={t.step2}
        name={t.page}
        code={pageSnippet(address, { start: t.startLabel, stop: t.stopLabel })}
      >
        {t.step2Text}
      </Step>
    </Stack>
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
        {/* Long lines scroll; tabIndex makes this possible by keyboard. */}
        <Code block tabIndex={0} aria-label={name} role="region" style={{ overflowX: 'auto' }}>
          {code}
        </Code>
      </Box>
    </Stack>
  )
}
