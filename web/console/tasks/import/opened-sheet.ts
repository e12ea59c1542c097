import { useMemo, useState } from 'react'
import { sheetOf } from '../../files/read-file.ts'
import { findHeader, loadOwnNames, type Mapping, recallMapping, withoutAwb } from './columns.ts'
import type { OpenedFile } from './file-step.tsx'

/** The file that was chosen: where the names of its columns are, and what they mean. */
export function useOpenedSheet(hasOwnAwbs: boolean) {
  const [file, setFile] = useState<OpenedFile>()
  const [header, setHeader] = useState(0)
  const [chosen, setMapping] = useState<Mapping>([])
  const mapping = useMemo(() => (hasOwnAwbs ? chosen : withoutAwb(chosen)), [chosen, hasOwnAwbs])
  const sheet = useMemo(() => file && sheetOf(file.table, header), [file, header])

  const open = async (opened: OpenedFile) => {
    const own = await loadOwnNames()
    const found = findHeader(opened.table, own, localStorage)
    setFile(opened)
    setHeader(found)
    setMapping(recallMapping(sheetOf(opened.table, found).headers, own, localStorage))
  }
  const chooseHeader = async (found: number) => {
    if (!file) return
    setHeader(found)
    setMapping(recallMapping(sheetOf(file.table, found).headers, await loadOwnNames(), localStorage))
  }
  const close = () => setFile(undefined)
  return { file, header, mapping, sheet, open, chooseHeader, setMapping, close }
}
