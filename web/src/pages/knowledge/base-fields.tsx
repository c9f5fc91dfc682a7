// What is said about a knowledge base: name, description, language, whether questions are written for it.
import { Stack, Switch, Textarea, TextInput } from '@mantine/core'
import { common } from '../../i18n/common.ts'
import { useWords } from '../../i18n/words.tsx'
import { LanguageSelect } from '../../parts/language-select.tsx'
import { knowledgeWords } from './knowledge-words.ts'

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
  const t = { ...useWords(common), ...useWords(knowledgeWords) }
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
