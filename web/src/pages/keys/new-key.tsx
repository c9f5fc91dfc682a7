// The form of a new API key.
import { Button, Checkbox, Group, Modal, NumberInput, Radio, Select, Stack, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { api, done } from '../../api.ts'
import { common } from '../../i18n/common.ts'
import { useWords } from '../../i18n/words.tsx'
import { useAction } from '../../parts/doing.tsx'
import { focusWrong } from '../../parts/focus-wrong.ts'
import { FormGrid } from '../../parts/form-grid.tsx'
import { emptyKey, type KeyForm, type KeyProblem, keyBody, lives, problemsOf, type Scope, scopes } from './key-form.ts'
import { keysWords } from './keys-words.ts'

export function NewKey({ onClose, onMade }: { onClose: () => void; onMade: (key: string) => void }) {
  const t = useWords(keysWords)
  const c = useWords(common)
  const [form, setForm] = useState(emptyKey)
  const [isTried, setTried] = useState(false)
  const { isDoing, run } = useAction()
  const set = (part: Partial<KeyForm>) => setForm((before) => ({ ...before, ...part }))
  const problems = isTried ? problemsOf(form) : []
  const problem = (field: KeyProblem, words: string) => (problems.includes(field) ? words : undefined)

  async function submit(event: FormEvent) {
    event.preventDefault()
    setTried(true)
    if (problemsOf(form).length > 0) return focusWrong()
    await run(
      async () => {
        const made = await done(api.POST('/api/api-keys', { body: keyBody(form) }))
        onMade(made.key)
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
            <Button type="submit" loading={isDoing}>
              {c.create}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
