// Trunk diagnostics: runs the checks and shows each result with its fix.
import { Accordion, Alert, Button, Group, List, Loader, Stack, Text, TextInput, ThemeIcon } from '@mantine/core'
import { IconAlertTriangle, IconCheck, IconCircleCheck, IconMinus, IconStethoscope, IconX } from '@tabler/icons-react'
import { type FormEvent, useState } from 'react'
import type { TrunkReport } from '../../../../client/paths.ts'
import { api, unwrap } from '../../api.ts'
import { Section } from '../../components/section.tsx'
import { SipLadder } from '../../components/sip-ladder.tsx'
import { useAction } from '../../components/use-action.tsx'
import { useLanguage, useTexts } from '../../i18n/language-provider.tsx'
import { trunksServerTexts } from '../../i18n/server-texts/trunks.ts'
import { useServerText } from '../../i18n/use-server-text.ts'
import { doctorTexts } from './doctor-texts.ts'

const looks = {
  ok: { color: 'teal', Icon: IconCheck },
  warning: { color: 'yellow', Icon: IconAlertTriangle },
  failed: { color: 'red', Icon: IconX },
  skipped: { color: 'gray', Icon: IconMinus },
} as const

export function TrunkDoctor({ trunkId }: { trunkId: string }) {
  const t = useTexts(doctorTexts)
  const { isPending, run } = useAction()
  const [echo, setEcho] = useState('')
  const [report, setReport] = useState<TrunkReport | null>(null)
  const isWrong = echo.trim() !== '' && !/^[+*#]?[A-Za-z0-9._*#-]{1,63}$/.test(echo.trim())

  function examine(event: FormEvent) {
    event.preventDefault()
    if (isWrong) return
    setReport(null)
    void run(
      async () => {
        const body = echo.trim() === '' ? {} : { echoNumber: echo.trim() }
        setReport(await unwrap(api.POST('/api/trunks/{id}/doctor', { params: { path: { id: trunkId } }, body })))
      },
      { stale: ['/api/trunks'] },
    )
  }

  return (
    <Section title={t.title} about={t.about}>
      <form onSubmit={examine}>
        <Group align="flex-end">
          <TextInput
            label={t.echo}
            description={t.echoHint}
            flex="1 1 260px"
            value={echo}
            onChange={(event) => setEcho(event.currentTarget.value)}
            error={isWrong ? t.echoWrong : undefined}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
          />
          <Button
            type="submit"
            variant="light"
            loading={isPending}
            leftSection={<IconStethoscope size={18} aria-hidden />}
            style={{ alignSelf: 'flex-start' }}
            mt={{ base: 0, xs: 25 }}
          >
            {report ? t.again : t.run}
          </Button>
        </Group>
      </form>
      <div aria-live="polite">
        {isPending && (
          <Group gap="sm">
            <Loader size="sm" />
            <Text size="sm">{t.running}</Text>
          </Group>
        )}
        {report && <Report report={report} />}
      </div>
    </Section>
  )
}

function Report({ report }: { report: TrunkReport }) {
  const t = useTexts(doctorTexts)
  const { language } = useLanguage()
  const said = useServerText(trunksServerTexts)
  const cure = report.cause === null ? undefined : (t.causes as Readonly<Record<string, string>>)[report.cause]
  const names: Readonly<Record<string, string>> = t.checks
  const tried = report.checks.filter(({ status }) => status !== 'skipped')
  const left = report.checks.filter(({ status }) => status === 'skipped')
  return (
    <Stack>
      <Alert
        color={report.ok ? 'teal' : 'red'}
        variant="light"
        icon={report.ok ? <IconCircleCheck aria-hidden /> : <IconAlertTriangle aria-hidden />}
        title={report.ok ? t.fine : t.trouble}
      >
        {!report.ok && (
          <Stack gap={4}>
            <Text size="sm">{cure ?? report.sentence}</Text>
            {/* The sentence is in English only; the checks below say the same in the page's language. */}
            {cure && language === 'en' && (
              <Text size="sm" c="dimmed">
                {t.inDetail}: {report.sentence}
              </Text>
            )}
          </Stack>
        )}
      </Alert>
      <List spacing="sm" listStyleType="none" center={false}>
        {tried.map(({ name, status, detail }, i) => {
          const { color, Icon } = looks[status]
          return (
            <List.Item
              // biome-ignore lint/suspicious/noArrayIndexKey: a check may come twice, and their order never changes
              key={i}
              icon={
                <ThemeIcon color={color} variant="light" size={26} radius="xl">
                  <Icon size={16} aria-hidden />
                </ThemeIcon>
              }
            >
              <Text fw={600} size="sm">
                {names[name] ?? name}
                <Text span size="sm" c="dimmed" fw={400}>
                  {' · '}
                  {t.state[status]}
                </Text>
              </Text>
              <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
                {said(detail)}
              </Text>
            </List.Item>
          )
        })}
      </List>
      {left.length > 0 && (
        <Text size="sm" c="dimmed">
          {t.state.skipped}: {left.map(({ name }) => names[name] ?? name).join(', ')}.
        </Text>
      )}
      {report.entries.length > 0 && (
        <Accordion variant="contained">
          <Accordion.Item value="messages">
            <Accordion.Control>{t.messages(report.entries.length)}</Accordion.Control>
            <Accordion.Panel>
              <SipLadder entries={report.entries} text={report.ladder} />
            </Accordion.Panel>
          </Accordion.Item>
        </Accordion>
      )}
    </Stack>
  )
}
