// Texts of the post-call analysis card.
import { texts } from '../i18n/texts.ts'

export const analysisTexts = texts(
  {
    title: 'Análise',
    summary: 'Resumo',
    success: 'Objetivo atingido',
    failure: 'Objetivo não atingido',
    fields: 'Dados extraídos',
    by: (name: string) =>
      name === 'rules' ? 'Resumo por regras: nenhum modelo de linguagem está configurado' : `Análise de ${name}`,
    first: 'Analisar',
    again: 'Analisar novamente',
    asked: 'Análise solicitada',
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
    success: 'Goal met',
    failure: 'Goal not met',
    fields: 'Extracted data',
    by: (name: string) =>
      name === 'rules' ? 'Rule-based summary: no language model is configured' : `Analysed by ${name}`,
    first: 'Analyse',
    again: 'Analyse again',
    asked: 'Analysis requested',
    status: {
      pending: 'Waiting for analysis…',
      processing: 'Analysing…',
      done: 'Analysis complete',
      failed: 'The analysis failed.',
      skipped: 'This conversation was not analysed.',
    },
    goesOn: 'The analysis runs when the conversation ends.',
  },
  {
    title: 'Análisis',
    summary: 'Resumen',
    success: 'Objetivo cumplido',
    failure: 'Objetivo no cumplido',
    fields: 'Datos extraídos',
    by: (name: string) =>
      name === 'rules' ? 'Resumen por reglas: no hay un modelo de lenguaje configurado' : `Análisis de ${name}`,
    first: 'Analizar',
    again: 'Analizar de nuevo',
    asked: 'Análisis solicitado',
    status: {
      pending: 'Esperando el análisis…',
      processing: 'Analizando…',
      done: 'Análisis completado',
      failed: 'El análisis falló.',
      skipped: 'Esta conversación no se analizó.',
    },
    goesOn: 'El análisis se hace cuando termina la conversación.',
  },
)
