// Checks whether a number may be called now: a rule pack's decision, with its reasons.
import { Alert, Button, Select, Stack, Text } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import type { CallingRules, RuleAnswer } from '../../../../client/paths.ts'
import { api, unwrap } from '../../api.ts'
import { PhoneInput, useTypedPhone } from '../../components/phone-input.tsx'
import { Section } from '../../components/section.tsx'
import { useAction } from '../../components/use-action.tsx'
import { useLanguage, useTexts } from '../../i18n/language-provider.tsx'
import { DecisionList } from '../campaigns/decision-list.tsx'
import { rulesTexts } from './rules-texts.ts'

export function AskRules({ packs }: { packs: readonly CallingRules[] }) {
  const t = useTexts(rulesTexts)
  const phone = useTypedPhone()
  const { isPending, run } = useAction()
  const [id, setId] = useState(packs[0]?.id ?? '')
  const [answer, setAnswer] = useState<RuleAnswer | null>(null)
  const [isTried, setTried] = useState(false)
  const ask = async (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    const { number } = phone
    if (!number) return
    await run(
      async () => {
        const params = { path: { id } }
        setAnswer(await unwrap(api.POST('/api/calling-rules/{id}/ask', { params, body: { phoneNumber: number } })))
      },
      { verb: 'load' },
    )
  }
  return (
    <Section title={t.ask} about={t.askAbout}>
      <form onSubmit={(event) => void ask(event)} noValidate>
        <Stack gap="md" maw={520}>
          {packs.length > 1 && (
            <Select
              label={t.title}
              allowDeselect={false}
              data={packs.map(({ id: value, name }) => ({ value, label: name }))}
              value={id}
              onChange={(value) => {
                setAnswer(null)
                if (value) setId(value)
              }}
            />
          )}
          <PhoneInput phone={phone} label={t.askNumber} isWrong={isTried} isRequired />
          <Button type="submit" loading={isPending} w="fit-content">
            {t.askGo}
          </Button>
          {answer && <Answer answer={answer} />}
        </Stack>
      </form>
    </Section>
  )
}

const colors = { now: 'green', later: 'yellow', never: 'red' } as const

function Answer({ answer: { result, at, reason, decision } }: { answer: RuleAnswer }) {
  const t = useTexts(rulesTexts)
  const { locale } = useLanguage()
  const time = at && new Date(at).toLocaleString(locale, { dateStyle: 'full', timeStyle: 'short' })
  return (
    <Alert
      role="status"
      color={colors[result]}
      variant="light"
      styles={{ message: { color: 'var(--mantine-color-text)' } }}
    >
      <Text fw={600}>
        {t.answer[result]} {result === 'later' && time && t.answerAt(time)}
      </Text>
      <DecisionList decision={reason ? { ...decision, never: reason } : decision} />
    </Alert>
  )
}
