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
      failed:
        'O modelo não respondeu, ou respondeu em outro formato. Teste o modelo em Provedores e analise novamente.',
      skipped: 'Esta conversa não foi analisada.',
    },
    none: 'Esta conversa ainda não tem análise.',
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
      failed: 'The model did not reply, or replied in another format. Test the model in Providers, then analyse again.',
      skipped: 'This conversation was not analysed.',
    },
    none: 'This conversation has no analysis yet.',
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
      failed:
        'El modelo no respondió, o respondió en otro formato. Pruebe el modelo en Proveedores y analice de nuevo.',
      skipped: 'Esta conversación no se analizó.',
    },
    none: 'Esta conversación aún no tiene análisis.',
    goesOn: 'El análisis se hace cuando termina la conversación.',
  },
)
