import com.gitlab.pdftk_java.com.lowagie.text.pdf.AcroFields;
import com.gitlab.pdftk_java.com.lowagie.text.pdf.PdfReader;
import com.gitlab.pdftk_java.com.lowagie.text.pdf.PdfStamper;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.pdfbox.pdmodel.PDDocument;
import org.apache.pdfbox.pdmodel.interactive.form.PDAcroForm;
import org.apache.pdfbox.pdmodel.interactive.form.PDCheckBox;
import org.apache.pdfbox.pdmodel.interactive.form.PDField;

/** Fills, flattens and saves a form with PDFBox or pdftk-java, as `pdf-peers.ts` requests it. */
public final class Fill {
  private interface Engine {
    /** Returns the number of fields that did not accept their value. */
    int fill(byte[] form, Map<String, String> row, OutputStream out) throws Exception;
  }

  public static void main(String[] args) throws Exception {
    Engine engine = args[0].equals("PDFBox") ? Fill::byPdfBox : Fill::byPdftk;
    byte[] form = Files.readAllBytes(Path.of(args[1]));
    var asked = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    var row = new LinkedHashMap<String, String>();
    for (String line = asked.readLine(); line != null; line = asked.readLine()) {
      String[] pair = line.split("\t", 2);
      if (pair.length == 2) {
        row.put(pair[0], pair[1]);
        continue;
      }
      long start = System.nanoTime();
      int left = engine.fill(form, row, new ByteArrayOutputStream(form.length));
      System.out.println((System.nanoTime() - start) / 1e6 + " " + left);
      row.clear();
    }
  }

  private static int byPdfBox(byte[] form, Map<String, String> row, OutputStream out)
      throws IOException {
    int left = 0;
    try (PDDocument document = PDDocument.load(form)) {
      PDAcroForm acroForm = document.getDocumentCatalog().getAcroForm();
      // An XFA form could not be flattened otherwise; pdf-lib drops the XFA part too.
      acroForm.setXFA(null);
      for (PDField field : acroForm.getFieldTree()) {
        String value = row.get(field.getFullyQualifiedName());
        if (value != null && !takes(field, value)) left += 1;
      }
      acroForm.setNeedAppearances(false);
      acroForm.flatten();
      document.save(out);
    }
    return left;
  }

  private static boolean takes(PDField field, String value) throws IOException {
    try {
      if (!(field instanceof PDCheckBox)) field.setValue(value);
      else if (value.equals("true")) ((PDCheckBox) field).check();
      else ((PDCheckBox) field).unCheck();
      return true;
    } catch (IllegalArgumentException refused) {
      return false;
    }
  }

  private static int byPdftk(byte[] form, Map<String, String> row, OutputStream out)
      throws Exception {
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

  /** Returns the state of a checkbox, which is named after its picture. */
  private static String stateOf(AcroFields fields, String name, String value) {
    if (value.equals("true")) {
      for (String state : fields.getAppearanceStates(name)) if (!state.equals("Off")) return state;
    }
    return "Off";
  }
}
