// The card of one upload: in progress, interrupted, or finished with its result.
import { Alert, Button, CloseButton, Group, Paper, Progress, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { errorMessage } from '../api.ts'
import { commonTexts } from '../i18n/common-texts.ts'
import { useTexts } from '../i18n/language-provider.tsx'
import { uploadTexts } from './upload-texts.ts'
import type { Upload, UploadStore } from './uploads.ts'

/** `cutOff` explains what the failed upload means for the record. */
export function UploadCard<Result>({
  upload,
  store,
  cutOff,
  done,
}: {
  upload: Upload<Result>
  store: UploadStore<Result>
  cutOff?: ReactNode
  done: (result: Result) => ReactNode
}) {
  const t = { ...useTexts(commonTexts), ...useTexts(uploadTexts) }
  const dismiss = () => store.dismiss(upload.id)
  if (upload.state === 'failed') {
    const { error, name, file } = upload
    const reason = error instanceof TypeError ? t.offline : (errorMessage(error) ?? t.offline)
    return (
      <Alert
        color="red"
        variant="light"
        title={`${t.couldNot.send}: ${name}`}
        role="alert"
        // Names of records and files may be wider than the card.
        styles={{ body: { minWidth: 0 }, label: { overflow: 'visible', whiteSpace: 'normal' } }}
      >
        <Stack gap="xs" align="flex-start">
          <Text size="sm">{reason}</Text>
          {cutOff && <Text size="sm">{cutOff}</Text>}
          <Group gap="xs" maw="100%">
            <Button size="xs" variant="default" maw="100%" onClick={() => void store.retry(upload.id)}>
              {`${t.sendAgain}: ${file}`}
            </Button>
            <Button size="xs" variant="subtle" color="gray" onClick={dismiss}>
              {t.dismiss}
            </Button>
          </Group>
        </Stack>
      </Alert>
    )
  }
  return (
    <Paper withBorder p="md" role="status" aria-label={upload.name}>
      <Group justify="space-between" wrap="nowrap" align="flex-start" mb="xs">
        <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
          {upload.name}
        </Text>
        {upload.state === 'done' && <CloseButton aria-label={`${t.dismiss}: ${upload.name}`} onClick={dismiss} />}
      </Group>
      {upload.state === 'done' ? (
        done(upload.result)
      ) : (
        <Stack gap={6}>
          <Text size="sm">{t.sending(upload.file)}</Text>
          <Progress value={100} animated aria-label={t.sending(upload.file)} />
          <Text size="sm" c="dimmed">
            {t.keepTab}
          </Text>
        </Stack>
      )}
    </Paper>
  )
}
