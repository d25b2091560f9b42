export declare function drawCast(cast: string): Promise<string>;
