// Adds a number to the user's own do-not-call list.
import { Button, Group, Modal, Stack, Text, Textarea } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { api, unwrap } from '../../api.ts'
import { PhoneInput, useTypedPhone } from '../../components/phone-input.tsx'
import { useAction } from '../../components/use-action.tsx'
import { commonTexts } from '../../i18n/common-texts.ts'
import { useTexts } from '../../i18n/language-provider.tsx'
import { suppressionsTexts } from './suppressions-texts.ts'
import { staleSuppressions } from './use-suppressions-view.tsx'

export function AddSuppression({ onClose }: { onClose: () => void }) {
  const t = useTexts(suppressionsTexts)
  const c = useTexts(commonTexts)
  const { isPending, run } = useAction()
  const phone = useTypedPhone()
  const [note, setNote] = useState('')
  const [isSubmitted, setSubmitted] = useState(false)

  async function submit(event: FormEvent) {
    event.preventDefault()
    setSubmitted(true)
    const phoneNumber = phone.number
    if (!phoneNumber) return
    const body = { phoneNumber, defaultCountry: phone.country.id, note: note.trim() || null }
    const isDone = await run(() => unwrap(api.POST('/api/suppressions', { body })), {
      success: t.added,
      stale: staleSuppressions,
    })
    if (isDone) onClose()
  }

  return (
    <Modal opened onClose={onClose} title={t.add} closeButtonProps={{ 'aria-label': c.close }}>
      <form onSubmit={(event) => void submit(event)} noValidate>
        <Stack>
          <Text size="sm">{t.addText}</Text>
          <PhoneInput phone={phone} label={t.number} isWrong={isSubmitted} isRequired hasFocus />
          <Textarea
            label={t.note}
            description={t.noteHint}
            maxLength={500}
            autosize
            minRows={2}
            value={note}
            onChange={(event) => setNote(event.currentTarget.value)}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {c.cancel}
            </Button>
            <Button type="submit" loading={isPending}>
              {t.add}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
