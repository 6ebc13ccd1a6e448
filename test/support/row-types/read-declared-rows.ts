import { parentPort, workerData } from 'node:worker_threads'
import { readDeclaredRows } from './declared-rows.ts'

parentPort?.postMessage(readDeclaredRows(workerData as string))
