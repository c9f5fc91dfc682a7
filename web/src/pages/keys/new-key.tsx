// The form of a new API key.
import { Button, Checkbox, Group, Modal, NumberInput, Radio, Select, Stack, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { api, unwrap } from '../../api.ts'
import { focusFirstError } from '../../components/focus-first-error.ts'
import { FormGrid } from '../../components/form-grid.tsx'
import { useAction } from '../../components/use-action.tsx'
import { commonTexts } from '../../i18n/common-texts.ts'
import { useTexts } from '../../i18n/language-provider.tsx'
import { emptyKey, type KeyForm, type KeyProblem, keyBody, lives, problemsOf, type Scope, scopes } from './key-form.ts'
import { keysTexts } from './keys-texts.ts'

export function NewKey({ onClose, onCreated }: { onClose: () => void; onCreated: (key: string) => void }) {
  const t = useTexts(keysTexts)
  const c = useTexts(commonTexts)
  const [form, setForm] = useState(emptyKey)
  const [isSubmitted, setSubmitted] = useState(false)
  const { isPending, run } = useAction()
  const set = (part: Partial<KeyForm>) => setForm((before) => ({ ...before, ...part }))
  const problems = isSubmitted ? problemsOf(form) : []
  const problem = (field: KeyProblem, words: string) => (problems.includes(field) ? words : undefined)

  async function submit(event: FormEvent) {
    event.preventDefault()
    setSubmitted(true)
    if (problemsOf(form).length > 0) return focusFirstError()
    await run(
      async () => {
        const made = await unwrap(api.POST('/api/api-keys', { body: keyBody(form) }))
        onCreated(made.key)
      },
      { stale: ['/api/api-keys'] },
    )
  }

  return (
    <Modal opened onClose={onClose} title={t.make} size="lg" closeButtonProps={{ 'aria-label': c.close }}>
      <form onSubmit={(event) => void submit(event)} noValidate>
        <Stack>
          <TextInput
            label={t.name}
            description={t.nameHint}
            required
            data-autofocus
            maxLength={255}
            value={form.name}
            onChange={(event) => set({ name: event.currentTarget.value })}
            error={problem('name', t.nameMissing)}
          />
          <Radio.Group
            label={t.access}
            value={form.access}
            onChange={(access) => set({ access: access as KeyForm['access'] })}
          >
            <Stack gap="xs" mt={6}>
              <Radio value="full" label={t.full} description={t.fullHint} />
              <Radio value="chosen" label={t.chosen} />
            </Stack>
          </Radio.Group>
          {form.access === 'chosen' && (
            <Checkbox.Group
              label={t.scopes}
              value={form.scopes}
              onChange={(chosen) => set({ scopes: chosen as Scope[] })}
              error={problem('scopes', t.scopesMissing)}
            >
              <Stack gap="xs" my={6}>
                {scopes.map((scope) => (
                  <Checkbox key={scope} value={scope} label={t.scope[scope]} />
                ))}
              </Stack>
            </Checkbox.Group>
          )}
          <FormGrid>
            <NumberInput
              label={t.rateLimit}
              description={t.rateLimitHint}
              min={1}
              max={100_000}
              allowDecimal={false}
              clampBehavior="none"
              value={form.rateLimit}
              onChange={(rateLimit) => set({ rateLimit })}
              error={problem('rateLimit', t.rateLimitWrong)}
            />
            <Select
              label={t.life}
              allowDeselect={false}
              value={form.life}
              onChange={(life) => set({ life: life ?? '' })}
              data={lives.map((value) => ({
                value,
                label: value === '' ? t.never : value === 'other' ? t.other : t.days(Number(value)),
              }))}
            />
          </FormGrid>
          {form.life === 'other' && (
            <NumberInput
              label={t.otherDays}
              min={1}
              max={36_500}
              clampBehavior="none"
              value={form.otherDays}
              onChange={(otherDays) => set({ otherDays })}
              error={problem('otherDays', t.otherDaysWrong)}
            />
          )}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {c.cancel}
            </Button>
            <Button type="submit" loading={isPending}>
              {c.create}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
