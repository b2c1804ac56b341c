import com.gitlab.pdftk_java.com.lowagie.text.pdf.AcroFields;
import com.gitlab.pdftk_java.com.lowagie.text.pdf.PdfReader;
import com.gitlab.pdftk_java.com.lowagie.text.pdf.PdfStamper;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/** Fills, flattens and saves a form with pdftk-java, as `pdf-peers.ts` asks for it. */
public final class PdftkFill {
  private static byte[] form;

  public static void main(String[] args) throws Exception {
    form = Files.readAllBytes(Path.of(args[0]));
    var asked = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    var row = new LinkedHashMap<String, String>();
    for (String line = asked.readLine(); line != null; line = asked.readLine()) {
      String[] pair = line.split("\t", 2);
      if (pair.length == 2) {
        row.put(pair[0], pair[1]);
        continue;
      }
      long start = System.nanoTime();
      int left = fill(row, new ByteArrayOutputStream(form.length));
      System.out.println((System.nanoTime() - start) / 1e6 + " " + left);
      row.clear();
    }
  }

  /** Gives how many fields took no value. */
  private static int fill(Map<String, String> row, ByteArrayOutputStream out) throws Exception {
    int left = 0;
    PdfStamper stamper = new PdfStamper(new PdfReader(form), out);
    AcroFields fields = stamper.getAcroFields();
    for (var entry : row.entrySet()) {
      String name = entry.getKey();
      boolean isBox = fields.getFieldType(name) == AcroFields.FIELD_TYPE_CHECKBOX;
      String value = isBox ? stateOf(fields, name, entry.getValue()) : entry.getValue();
      if (!fields.setField(name, value)) left += 1;
    }
    stamper.setFormFlattening(true);
    stamper.close();
    return left;
  }

  /** A box is ticked by the name of its picture. */
  private static String stateOf(AcroFields fields, String name, String value) {
    if (value.equals("true")) {
      for (String state : fields.getAppearanceStates(name)) if (!state.equals("Off")) return state;
    }
    return "Off";
  }
}
