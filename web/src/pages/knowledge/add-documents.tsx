// Adds documents: dropped or selected files, or typed text.
import {
  Alert,
  Button,
  FileButton,
  Group,
  Modal,
  Paper,
  Progress,
  Stack,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { IconPencil, IconUpload } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { type DragEvent, type FormEvent, useState } from 'react'
import { api, errorMessage, unwrap } from '../../api.ts'
import { useStay } from '../../components/stay.ts'
import { useAction } from '../../components/use-action.tsx'
import { commonTexts } from '../../i18n/common-texts.ts'
import { useTexts } from '../../i18n/language-provider.tsx'
import { knowledgeTexts } from './knowledge-texts.ts'
import { accepted, documentName, MAX_BYTES, uploadTypeOf } from './upload-types.ts'

const stale = ['/api/knowledge-bases']

export function AddDocuments({ baseId }: { baseId: string }) {
  const t = { ...useTexts(commonTexts), ...useTexts(knowledgeTexts) }
  const client = useQueryClient()
  const [isOver, setOver] = useState(false)
  const [isOpen, { open, close }] = useDisclosure(false)
  const [sending, setSending] = useState<{ name: string; percent: number } | null>(null)
  const [problems, setProblems] = useState<string[]>([])
  useStay(sending !== null)

  /** Sequentially: the server processes each file before the next is sent. */
  async function send(files: readonly File[]) {
    const wrong: string[] = []
    let added = 0
    for (const [i, file] of files.entries()) {
      setSending({ name: file.name, percent: (i / files.length) * 100 })
      const type = uploadTypeOf(file.name)
      if (!type) wrong.push(t.wrongType(file.name))
      else if (file.size > MAX_BYTES) wrong.push(t.tooLarge(file.name))
      else
        await upload(baseId, file, type).then(
          () => added++,
          (error) =>
            wrong.push(
              `${file.name}: ${error instanceof TypeError ? t.offline : (errorMessage(error) ?? t.couldNot.send)}`,
            ),
        )
    }
    setSending(null)
    setProblems(wrong)
    await client.invalidateQueries({
      predicate: ({ queryKey }) => String(queryKey[1]).startsWith('/api/knowledge-bases'),
    })
    if (added > 0) notifications.show({ message: t.added(added), color: 'ramal' })
  }

  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    void send([...event.dataTransfer.files])
  }
  return (
    <Stack gap="sm">
      <Paper
        withBorder
        p="lg"
        onDragOver={(event) => {
          event.preventDefault()
          setOver(true)
        }}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
        bg={isOver ? 'var(--mantine-primary-color-light)' : undefined}
        style={{ borderStyle: 'dashed' }}
      >
        <Group justify="space-between" gap="md">
          <div style={{ flex: '1 1 260px' }}>
            <Text fw={600}>{t.drop}</Text>
            <Text size="sm" c="dimmed">
              {t.dropHint}
            </Text>
          </div>
          <Group gap="xs">
            <FileButton multiple accept={accepted} onChange={(files) => void send(files)}>
              {(props) => (
                <Button {...props} loading={sending !== null} leftSection={<IconUpload size={16} aria-hidden />}>
                  {t.choose}
                </Button>
              )}
            </FileButton>
            <Button variant="default" leftSection={<IconPencil size={16} aria-hidden />} onClick={open}>
              {t.addText}
            </Button>
          </Group>
        </Group>
        {sending && (
          <Stack gap={6} mt="md" role="status">
            <Text size="sm">{t.sending(sending.name)}</Text>
            <Progress value={sending.percent} animated aria-label={t.sending(sending.name)} />
          </Stack>
        )}
      </Paper>
      {problems.length > 0 && (
        <Alert
          color="red"
          role="alert"
          title={t.couldNot.send}
          withCloseButton
          closeButtonLabel={t.close}
          onClose={() => setProblems([])}
        >
          {problems.map((problem) => (
            <Text key={problem} size="sm">
              {problem}
            </Text>
          ))}
        </Alert>
      )}
      <Modal opened={isOpen} onClose={close} title={t.addText} size="xl" closeButtonProps={{ 'aria-label': t.close }}>
        <WriteText baseId={baseId} onDone={close} />
      </Modal>
    </Stack>
  )
}

function upload(id: string, file: File, type: string) {
  return unwrap(
    api.POST('/api/knowledge-bases/{id}/documents', {
      params: { path: { id }, query: { name: documentName(file.name) } },
      headers: { 'content-type': type },
      body: file as never,
      bodySerializer: (body) => body as never,
    }),
  )
}

function WriteText({ baseId, onDone }: { baseId: string; onDone: () => void }) {
  const t = { ...useTexts(commonTexts), ...useTexts(knowledgeTexts) }
  const { isPending, run } = useAction()
  const [name, setName] = useState('')
  const [content, setContent] = useState('')
  const [isSubmitted, setSubmitted] = useState(false)
  async function submit(event: FormEvent) {
    event.preventDefault()
    setSubmitted(true)
    if (name.trim() === '' || content.trim() === '') return
    const body = { name: name.trim(), content, contentType: 'text/markdown' as const }
    const params = { path: { id: baseId } }
    const isDone = await run(() => unwrap(api.POST('/api/knowledge-bases/{id}/documents', { params, body })), {
      success: t.added(1),
      stale,
    })
    if (isDone) onDone()
  }
  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <Stack>
        <TextInput
          label={t.documentName}
          required
          maxLength={255}
          data-autofocus
          value={name}
          error={isSubmitted && name.trim() === '' ? t.nameNeeded : undefined}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Textarea
          label={t.text}
          description={t.textHint}
          required
          autosize
          minRows={10}
          maxRows={24}
          value={content}
          error={isSubmitted && content.trim() === '' ? t.textNeeded : undefined}
          onChange={(event) => setContent(event.currentTarget.value)}
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={onDone}>
            {t.cancel}
          </Button>
          <Button type="submit" loading={isPending}>
            {t.save}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
