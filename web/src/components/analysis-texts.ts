// Words of what was found out after a conversation.
import { texts } from '../i18n/texts.ts'

export const analysisTexts = texts(
  {
    title: 'Análise',
    summary: 'Resumo',
    success: 'Objetivo alcançado',
    failure: 'Objetivo não alcançado',
    fields: 'Dados colhidos',
    by: (name: string) =>
      name === 'rules' ? 'Trechos da conversa: nenhum modelo de linguagem está configurado' : `Feita por ${name}`,
    again: 'Analisar de novo',
    asked: 'A análise foi pedida',
    status: {
      pending: 'Aguardando a análise…',
      processing: 'Analisando…',
      done: 'Análise concluída',
      failed: 'A análise falhou.',
      skipped: 'Esta conversa não foi analisada.',
    },
    goesOn: 'A análise é feita quando a conversa termina.',
  },
  {
    title: 'Analysis',
    summary: 'Summary',
    success: 'Goal reached',
    failure: 'Goal not reached',
    fields: 'Collected data',
    by: (name: string) =>
      name === 'rules' ? 'Sentences of the conversation: no language model is set up' : `Made by ${name}`,
    again: 'Analyse again',
    asked: 'The analysis was requested',
    status: {
      pending: 'Waiting for the analysis…',
      processing: 'Analysing…',
      done: 'Analysed',
      failed: 'The analysis failed.',
      skipped: 'This conversation was not analysed.',
    },
    goesOn: 'It is analysed when the conversation ends.',
  },
  {
    title: 'Análisis',
    summary: 'Resumen',
    success: 'Objetivo logrado',
    failure: 'Objetivo no logrado',
    fields: 'Datos recogidos',
    by: (name: string) =>
      name === 'rules' ? 'Frases de la conversación: no hay un modelo de lenguaje configurado' : `Hecho por ${name}`,
    again: 'Analizar de nuevo',
    asked: 'Se pidió el análisis',
    status: {
      pending: 'Esperando el análisis…',
      processing: 'Analizando…',
      done: 'Analizada',
      failed: 'El análisis falló.',
      skipped: 'Esta conversación no se analizó.',
    },
    goesOn: 'Se analiza cuando la conversación termina.',
  },
)
