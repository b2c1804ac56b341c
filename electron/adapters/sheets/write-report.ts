import type { ReportWriter } from '../../core/reports/ports.ts';
import { writeCsv } from './write-csv.ts';
import { writeXlsx } from './write-xlsx.ts';

export const createReportWriter = (): ReportWriter => ({ csv: writeCsv, xlsx: writeXlsx });
