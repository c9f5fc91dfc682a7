// The fields of a knowledge base.
import { Stack, Switch, Textarea, TextInput } from '@mantine/core'
import { LanguageSelect } from '../../components/language-select.tsx'
import { commonTexts } from '../../i18n/common-texts.ts'
import { useTexts } from '../../i18n/language-provider.tsx'
import { knowledgeTexts } from './knowledge-texts.ts'

export type BaseDraft = { name: string; description: string; language: string; generateQuestions: boolean }
export const emptyBase: BaseDraft = { name: '', description: '', language: '', generateQuestions: true }

export const baseBody = ({ name, description, language, generateQuestions }: BaseDraft) => ({
  name: name.trim(),
  description: description.trim() || null,
  language: language || null,
  generateQuestions,
})

export function BaseFields({
  value,
  problem,
  onChange,
}: {
  value: BaseDraft
  problem: string | null
  onChange: (value: BaseDraft) => void
}) {
  const t = { ...useTexts(commonTexts), ...useTexts(knowledgeTexts) }
  const put = (patch: Partial<BaseDraft>) => onChange({ ...value, ...patch })
  return (
    <Stack>
      <TextInput
        label={t.name}
        placeholder={t.nameExample}
        required
        maxLength={255}
        data-autofocus
        value={value.name}
        error={problem}
        onChange={(event) => put({ name: event.currentTarget.value })}
      />
      <Textarea
        label={t.description}
        description={t.descriptionHint}
        autosize
        minRows={2}
        maxLength={2000}
        value={value.description}
        onChange={(event) => put({ description: event.currentTarget.value })}
      />
      <LanguageSelect
        label={t.language}
        description={t.languageHint}
        isOptional
        value={value.language}
        onChange={(language) => put({ language })}
      />
      <Switch
        label={t.questions}
        description={t.questionsHint}
        checked={value.generateQuestions}
        onChange={(event) => put({ generateQuestions: event.currentTarget.checked })}
      />
    </Stack>
  )
}
