// The fields of a trunk; the advanced ones are collapsed, in tabs.
import { Button, Collapse, PasswordInput, Stack, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconChevronDown, IconChevronUp } from '@tabler/icons-react'
import { useEffect, useId, useState } from 'react'
import { FormGrid } from '../../components/form-grid.tsx'
import { useTexts } from '../../i18n/language-provider.tsx'
import { AdvancedTrunkFields } from './trunk-fields-advanced.tsx'
import { type AdvancedTab, type TrunkForm, type TrunkProblem, wrongTabs } from './trunk-form.ts'
import { trunkFormTexts } from './trunk-form-texts.ts'

export type TrunkFieldsProps = {
  form: TrunkForm
  set: (part: Partial<TrunkForm>) => void
  problems: readonly TrunkProblem[]
  hasPassword: boolean
}

export function TrunkFields(props: TrunkFieldsProps) {
  const { form, set, problems, hasPassword } = props
  const t = useTexts(trunkFormTexts)
  const id = useId()
  const [isOpen, { toggle, open }] = useDisclosure(false)
  const [tab, setTab] = useState<AdvancedTab>('network')
  const [firstWrong] = wrongTabs(problems)
  const isWrongBeneath = firstWrong !== undefined
  // biome-ignore lint/correctness/useExhaustiveDependencies: once a save was refused; a corrected field does not change the tab
  useEffect(() => {
    if (!firstWrong) return
    open()
    setTab(firstWrong)
  }, [isWrongBeneath])
  const problem = (field: TrunkProblem, words: string) => (problems.includes(field) ? words : undefined)
  return (
    <Stack>
      <FormGrid>
        <TextInput
          label={t.name}
          description={t.nameHint}
          required
          maxLength={255}
          value={form.name}
          onChange={(event) => set({ name: event.currentTarget.value })}
          error={problem('name', t.nameMissing)}
        />
        <TextInput
          label={t.host}
          description={t.hostHint}
          required
          autoCapitalize="none"
          spellCheck={false}
          maxLength={255}
          value={form.host}
          onChange={(event) => set({ host: event.currentTarget.value })}
          error={problem('host', t.hostWrong)}
        />
        {form.authMode !== 'ip' && (
          <>
            <TextInput
              label={t.username}
              required
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              value={form.username}
              onChange={(event) => set({ username: event.currentTarget.value })}
              error={problem('username', t.usernameWrong)}
            />
            <PasswordInput
              label={t.password}
              required={!hasPassword}
              placeholder={hasPassword ? t.passwordKept : undefined}
              autoComplete="new-password"
              maxLength={1024}
              value={form.password}
              onChange={(event) => set({ password: event.currentTarget.value })}
              error={problem('password', t.passwordMissing)}
            />
          </>
        )}
      </FormGrid>
      <div>
        <Button
          variant="subtle"
          px={0}
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={toggle}
          rightSection={isOpen ? <IconChevronUp size={16} aria-hidden /> : <IconChevronDown size={16} aria-hidden />}
        >
          {isOpen ? t.advancedHide : t.advanced}
        </Button>
        <Collapse expanded={isOpen} id={id}>
          <AdvancedTrunkFields {...props} tab={tab} onTab={setTab} />
        </Collapse>
      </div>
    </Stack>
  )
}
