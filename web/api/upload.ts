import endpoints from 'virtual:endpoints'
import type { Answer } from '../../contract/operations.ts'
import { WaybillError } from './client.ts'

/** Sends a picture and reports how much of it has been sent, from 0 to 1: `fetch` cannot. Returns the path it is stored under. */
export function uploadPicture(file: Blob, onProgress: (share: number) => void, signal: AbortSignal): Promise<string> {
  const { method, path } = endpoints.createFile
  const request = new XMLHttpRequest()
  const uploaded = new Promise<string>((done, fail) => {
    request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0)
    request.onload = () => {
      const answer = (request.response ?? {}) as Partial<Answer<'createFile'>> & { error?: object }
      if (answer.file) done(answer.file.path)
      else fail(new WaybillError(request.status, answer.error))
    }
    request.onerror = () => fail(new WaybillError(0, { code: 'networkDown', message: 'The server cannot be reached' }))
    request.onabort = () => fail(signal.reason)
  })
  signal.addEventListener('abort', () => request.abort(), { once: true })
  request.open(method, path)
  request.responseType = 'json'
  request.setRequestHeader('content-type', file.type)
  request.send(file)
  return uploaded
}
