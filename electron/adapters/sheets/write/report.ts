import type { ReportWriter } from '../../../core/reports/ports.ts';
import { writeCsv } from './csv.ts';
import { writeXlsx } from './xlsx.ts';

export const createReportWriter = (): ReportWriter => ({ csv: writeCsv, xlsx: writeXlsx });
