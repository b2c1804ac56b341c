import * as z from 'zod';

export const DayFormat = z.enum(['yyyy-MM-dd', 'dd.MM.yyyy', 'dd/MM/yyyy', 'MM/dd/yyyy', 'long']);
export type DayFormat = z.infer<typeof DayFormat>;
