// Checks whether campaigns may call a number, and which list blocks it.
import { Alert, Button, Group, List, Modal, Stack, Text } from '@mantine/core'
import { IconCheck, IconPhoneOff } from '@tabler/icons-react'
import { type FormEvent, useState } from 'react'
import type { Suppression, SuppressionResult } from '../../../../client/paths.ts'
import { api, queries, unwrap } from '../../api.ts'
import { PhoneInput, useTypedPhone } from '../../components/phone-input.tsx'
import { formatNumber } from '../../components/phone-number.ts'
import { useAction } from '../../components/use-action.tsx'
import { commonTexts } from '../../i18n/common-texts.ts'
import { useTexts } from '../../i18n/language-provider.tsx'
import { suppressionsTexts } from './suppressions-texts.ts'

export function NumberCheck({ onClose }: { onClose: () => void }) {
  const t = useTexts(suppressionsTexts)
  const c = useTexts(commonTexts)
  const { isPending, run } = useAction()
  const phone = useTypedPhone()
  const [isSubmitted, setSubmitted] = useState(false)
  const [result, setResult] = useState<SuppressionResult | null>(null)

  async function submit(event: FormEvent) {
    event.preventDefault()
    setSubmitted(true)
    setResult(null)
    const phoneNumber = phone.number
    if (!phoneNumber) return
    const body = { phoneNumber, defaultCountry: phone.country.id }
    await run(async () => setResult(await unwrap(api.POST('/api/suppressions/check', { body }))))
  }

  return (
    <Modal opened onClose={onClose} title={t.checkTitle} closeButtonProps={{ 'aria-label': c.close }}>
      <form onSubmit={(event) => void submit(event)} noValidate>
        <Stack>
          <Text size="sm">{t.checkText}</Text>
          <PhoneInput phone={phone} label={t.number} isWrong={isSubmitted} hasFocus />
          <div aria-live="polite">{result && <Result result={result} />}</div>
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {c.close}
            </Button>
            <Button type="submit" loading={isPending}>
              {t.check}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}

function Result({ result: { phoneNumber, isSuppressed, suppressions } }: { result: SuppressionResult }) {
  const t = useTexts(suppressionsTexts)
  const { data: lists } = queries.useQuery('get', '/api/suppression-lists', undefined, { enabled: isSuppressed })
  const number = formatNumber(phoneNumber)
  if (!isSuppressed)
    return (
      <Alert color="green" icon={<IconCheck aria-hidden />}>
        {t.isFree(number)}
      </Alert>
    )
  const place = ({ listId, reason }: Suppression) =>
    listId === null ? t.onOwn(t.reasons[reason]) : t.onList(lists?.find(({ id }) => id === listId)?.name ?? t.aList)
  return (
    <Alert color="red" icon={<IconPhoneOff aria-hidden />}>
      <Text size="sm">{t.isHeld(number)}</Text>
      <List size="sm" mt={4}>
        {suppressions.map((one) => (
          <List.Item key={one.id}>{place(one)}</List.Item>
        ))}
      </List>
    </Alert>
  )
}
